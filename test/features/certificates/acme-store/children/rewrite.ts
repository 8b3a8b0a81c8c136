/** Writes a file in place, as the proxy does: cut to nothing, then written piece by piece; the given texts in turn, for ever. */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'

const PIECE = 4096
const path = process.argv[2]!
const texts = (JSON.parse(readFileSync(0, 'utf8')) as string[]).map((text) => Buffer.from(text))

for (let turn = 0; ; turn++) {
  const text = texts[turn % texts.length]!
  const file = openSync(path, 'r+')
  ftruncateSync(file, 0)
  for (let at = 0; at < text.length; at += PIECE)
    writeSync(file, text, at, Math.min(PIECE, text.length - at), at)
  closeSync(file)
}
