/**
 * acme-client, loaded when it is first needed (it takes about 150 ms), with our own transport under it.
 *
 * It has one HTTP client for the whole process. What each request belongs to is therefore carried beside it, in the context
 * of the asynchronous call; a request without one goes nowhere.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '../../../kernel/failure.ts'

export type Library = typeof import('acme-client')
export type LibraryClient = InstanceType<Library['Client']>

export interface LibraryRequest {
  /** In small letters. */
  readonly method: string
  readonly url: string
  /** JSON. */
  readonly body: string
}

export interface LibraryReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** An object where JSON came, else the text. */
  readonly data: unknown
}

/** Answers a request of the library; whatever it throws comes out of the library unchanged. */
export type Carry = (request: LibraryRequest) => Promise<LibraryReply>

const carriers = new AsyncLocalStorage<Carry>()

/** All requests that the library makes within `work` go through `carry`. */
export const carriedBy = <T>(carry: Carry, work: () => Promise<T>): Promise<T> => carriers.run(carry, work)

type Adapter = Extract<Library['axios']['defaults']['adapter'], (...args: never[]) => unknown>

const adapter: Adapter = async (config) => {
  const carry = carriers.getStore()
  if (carry === undefined) throw new Failure('internal', 'An ACME request was sent outside of any call.')
  const { method = 'get', url = '' } = config
  const reply = await carry({ method: method.toLowerCase(), url, body: String(config.data ?? '') })
  return { ...reply, headers: { ...reply.headers }, statusText: '', config }
}

export async function loadLibrary(): Promise<Library> {
  const library = await import('acme-client')
  library.axios.defaults.adapter = adapter
  // Its retries sleep as long as the other side asks. Ours are persisted, and somebody else's matter.
  Object.assign(library.axios.defaults, { acmeSettings: { retryMaxAttempts: 0 } })
  return library
}
