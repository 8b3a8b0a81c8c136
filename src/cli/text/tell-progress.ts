/** How far an operation has come, on one line that is written over. */
import type { OperationView } from '../../core/background/operation.ts'
import type { ComponentProgress } from '../../core/background/progress.ts'

export type ToldOperation = Pick<OperationView, 'method' | 'path' | 'progress'>

/** `POST /api/estate: 340 of 512 (dns 340 of 500 writing, routes waiting)` */
export function progressLine({ method, path, progress }: ToldOperation): string {
  const call = `${method} ${path.split('?', 1)[0]!}`
  if (progress === null) return `${call} is under way`
  const { done, total, components } = progress
  return `${call}: ${done} of ${total} (${components.map(partOf).join(', ')})`
}

const partOf = ({ name, done, total, state }: ComponentProgress): string =>
  total === 0 ? `${name} ${state}` : `${name} ${done} of ${total} ${state}`

/** A line that the next one takes the place of; null takes it away. None where nobody looks on: in a pipe, in a file. */
export function statusLine(stream: NodeJS.WriteStream): ((line: string | null) => void) | undefined {
  if (!stream.isTTY) return undefined
  let is_shown = false
  return (line) => {
    if (line === null && !is_shown) return
    is_shown = line !== null
    // A line that wraps could not be written over.
    stream.write(`\r\u001b[K${line?.slice(0, Math.max(0, stream.columns - 1)) ?? ''}`)
  }
}
