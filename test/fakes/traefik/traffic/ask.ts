/** Questions to other servers over real sockets, each where a test says that its address really is. */
import { request as plain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secure, type RequestOptions as SecureOptions } from 'node:https'
import { HeaderList } from './header-list.ts'

/** From the origin in the configuration (`http://authelia:9091`) to the one that is asked. */
export type Dial = (origin: string) => string

export interface Question {
  readonly method: string
  readonly headers: HeaderList
  readonly timeout_ms: number
}

export interface Answered {
  readonly status: number
  readonly headers: HeaderList
  readonly body: Buffer
}

export type Ask = (url: string, question: Question) => Promise<Answered>

/** Does not follow redirects; reads the whole answer. */
export function asker(dial: Dial): Ask {
  return async (url, { method, headers, timeout_ms }) => {
    const { origin, host } = new URL(url)
    const sent = headers.copy()
    sent.set('Host', host)
    const path = url.slice(url.indexOf(host) + host.length) || '/'
    const options = { method, path, headers: sent.raw(), signal: AbortSignal.timeout(timeout_ms) }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      open(dial(origin), options).on('response', resolve).on('error', reject).end()
    })
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    return {
      status: answer.statusCode!,
      headers: HeaderList.from(answer.rawHeaders),
      body: Buffer.concat(chunks),
    }
  }
}

/** A request to this origin, not yet ended. */
export function open(origin: string, options: RequestOptions & SecureOptions) {
  const { protocol, hostname, port } = new URL(origin)
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: port || (protocol === 'https:' ? 443 : 80) }
  return protocol === 'https:' ? secure({ ...at, ...options }) : plain({ ...at, ...options })
}
