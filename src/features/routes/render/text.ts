/** The bytes of a rendering as text: one character per byte, and a rendering is ASCII. */
export const textOf = (chunks: readonly Uint8Array[]): string =>
  chunks
    .map((chunk) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1'))
    .join('')
