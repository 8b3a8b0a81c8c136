/** Ctrl-C while a call is under way: the command ends as always, and says where a change may be carried out all the same. */
import { type ApiRequest, isWrite } from './api.ts'
import type { Terminal } from './text/terminal.ts'

interface Interruptible {
  call<T>(request: ApiRequest, work: () => Promise<T>): Promise<T>
  /** Nothing is under way any more. */
  end(): void
}

export function interruptible({ note, status }: Pick<Terminal, 'note' | 'status'>): Interruptible {
  const under_way = new Set<ApiRequest>()
  const interrupted = () => {
    // At a question there is none, and who asks says what it means.
    if (under_way.size > 0) {
      status?.(null)
      note(`\n${[...under_way].some(isWrite) ? UNKNOWN : 'Interrupted.'}`)
    }
    // By now nobody listens: the signal ends the process, as the shell expects it.
    process.kill(process.pid, 'SIGINT')
  }
  process.once('SIGINT', interrupted)
  return {
    async call(request, work) {
      under_way.add(request)
      try {
        return await work()
      } finally {
        under_way.delete(request)
      }
    },
    end: () => void process.off('SIGINT', interrupted),
  }
}

const UNKNOWN =
  'Interrupted. Whether it is carried out is unknown: "plumbline audit" and "plumbline plan" say so, look there before you repeat it.'
