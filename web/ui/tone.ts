/** The color of a status label’s dot. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent';
