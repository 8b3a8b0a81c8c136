/** The bytes of a rendering as text: one character per byte, and a rendering is ASCII. */
export const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString('latin1')
