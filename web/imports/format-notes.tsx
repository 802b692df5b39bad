import { CodeBlock } from '../ui/code-block.tsx';
import { Panel } from '../ui/panel.tsx';

const example = `identifier,title,category,retail_price,variation_identifier,variation_size,variation_quantity
POT-1,Clay pot,Garden | Pots,12.50,POT-1-S,S,4
POT-1,,,,POT-1-L,L,2
PAN-7,"Pan, 24 cm",Home | Kitchen,30,,,`;

/** A summary of the file format. */
export function FormatNotes() {
  return (
    <Panel title="File format">
      <p>
        An Excel workbook, or CSV. Column names are the names of product fields. Only{' '}
        <span className="mono">identifier</span> is required. A missing column leaves its field unchanged. A
        blank cell in a product’s first row clears the field. Consecutive rows with the same identifier are
        variations of one product; only the first needs the product’s values.
      </p>
      <div style={{ marginTop: '0.8rem' }}>
        <CodeBlock text={example} label="the example file" />
      </div>
    </Panel>
  );
}
