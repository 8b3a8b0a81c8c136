/** Many questions in one run of `dig`, so that a random configuration can be asked about every name. */
import { isOwnQuestion } from '../../../peers/dig.ts'
import { runTool } from '../../../peers/peer.ts'

export interface DigReply {
  readonly status: string
  /** Addresses, distinct and sorted. */
  readonly values: readonly string[]
  /** Targets of aliases, in order. */
  readonly via: readonly string[]
}

type Asked = readonly [name: string, type: string]

export async function digMany(port: number, questions: readonly Asked[]): Promise<DigReply[]> {
  const bounds = ['+norec', '+time=3', '+tries=2', '+noall', '+comments', '+answer']
  const args = questions.flatMap(([name, type]) => ['-q', `${name}.`, '-t', type])
  const printed = await runTool('dig', ['@127.0.0.1', '-p', String(port), ...bounds, ...args])
  const replies = printed.split(';; Got answer:').slice(1)
  if (replies.length !== questions.length)
    throw new Error(
      `dig printed ${replies.length} answers to ${questions.length} questions: ${printed.slice(0, 500)}`,
    )
  return Promise.all(
    replies.map(async (text, at): Promise<DigReply> => {
      if (!isOwnQuestion(text)) return replyOf(text)
      return (await digMany(port, [questions[at]!]))[0]!
    }),
  )
}

function replyOf(text: string): DigReply {
  const records = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.split(/\s+/))
  const data = (...types: string[]) =>
    records.flatMap(([, , , type = '', value = '']) => (types.includes(type) ? [value] : []))
  return {
    status: /status: ([A-Z]+)/.exec(text)?.[1] ?? 'none',
    values: [...new Set(data('A', 'AAAA'))].sort(),
    via: data('CNAME').map((name) => name.toLowerCase().replace(/\.$/, '')),
  }
}
