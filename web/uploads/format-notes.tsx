import { CodeBlock } from '../feedback/code-block.tsx';
import { Panel } from '../shell/panel.tsx';

const example = `identifier,title,category,retail_price,variation_identifier,variation_size,variation_quantity
POT-1,Clay pot,Garden | Pots,12.50,POT-1-S,S,4
POT-1,,,,POT-1-L,L,2
PAN-7,"Pan, 24 cm",Home | Kitchen,30,,,`;

/** What a file has to look like, in short. */
export function FormatNotes() {
  return (
    <Panel title="What a file looks like">
      <p>
        Columns are named as the fields of a product; <span className="mono">identifier</span> is the only one
        needed. A column that the file lacks is left as it is, a blank cell clears the field. Rows with the
        same identifier are one product with several variations.
      </p>
      <div style={{ marginTop: '0.8rem' }}>
        <CodeBlock text={example} what="an example file" />
      </div>
    </Panel>
  );
}
