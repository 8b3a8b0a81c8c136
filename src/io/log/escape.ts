/**
 * Characters that would act on a terminal or tear a line in two. JSON escapes the C0 controls itself, but not DEL and
 * C1 (CSI, which starts terminal commands), the Unicode line ends, the marks that turn text around, or the byte-order
 * mark.
 */
const ACTIVE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** For a line of JSON: its meaning stays the same. */
export const escapeActive = (json: string): string => json.replace(ACTIVE, escaped)

/** For text that is shown as it is. */
export const escapeAll = (text: string): string => escapeActive(text.replace(CONTROL, escaped))
