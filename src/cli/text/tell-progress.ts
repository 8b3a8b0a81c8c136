/** How far an operation has come, on one line that is written over. */
import type { OperationView } from '../../core/background/operation.ts'
import type { ComponentProgress } from '../../model/operation/progress.ts'
import { wrapped } from './table.ts'

export type ToldOperation = Pick<OperationView, 'progress'>

/** `At work: 340 of 512 (dns 340 of 500 writing, routes waiting)` */
export function progressLine({ progress }: ToldOperation): string {
  if (progress === null) return 'At work.'
  const { done, total, components } = progress
  return `At work: ${done} of ${total} (${components.map(partOf).join(', ')})`
}

const partOf = ({ name, done, total, state }: ComponentProgress): string =>
  total === 0 ? `${name} ${state}` : `${name} ${done} of ${total} ${state}`

/** A sentence that the next one takes the place of; null takes it away. None where nobody looks on: in a pipe, in a file. */
export function statusLine(stream: NodeJS.WriteStream): ((line: string | null) => void) | undefined {
  if (!stream.isTTY) return undefined
  let shown = 0
  return (text) => {
    if (text === null && shown === 0) return
    // What the terminal itself wraps could not be written over.
    const width = Math.max(1, stream.columns - 1)
    const lines = text === null ? [] : wrapped(text, width).map((line) => line.slice(0, width))
    const up = shown > 1 ? `\u001b[${shown - 1}A` : ''
    stream.write(`\r${up}\u001b[J${lines.join('\n')}`)
    shown = lines.length
  }
}
