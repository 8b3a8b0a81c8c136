/** The DevTools protocol over its WebSocket: commands with their answers, and events, of the browser and of each tab. */
import { WebSocket } from 'undici'

export interface CdpSession {
  /** Throws with the words of the browser where it refuses. */
  send<T = object>(method: string, params?: object): Promise<T>
  on<T>(event: string, listener: (params: T) => void): void
  once(event: string): Promise<void>
  /** The same connection, of one tab. */
  session(session_id: string): CdpSession
  close(): void
}

interface Message {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: object
  readonly result?: object
  readonly error?: { readonly message: string }
}

type Listener = (params: never) => void

export async function connectCdp(endpoint: string): Promise<CdpSession> {
  const socket = new WebSocket(endpoint)
  const waiting = new Map<number, PromiseWithResolvers<object>>()
  const listeners = new Map<string, Set<Listener>>()
  let last = 0
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`${endpoint} cannot be reached`)))
  })
  socket.addEventListener('message', ({ data }) => {
    const { id, sessionId = '', method, params, result, error } = JSON.parse(String(data)) as Message
    if (id === undefined)
      return listeners.get(`${sessionId} ${method}`)?.forEach((one) => one((params ?? {}) as never))
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result ?? {})
    else asked?.reject(new Error(error.message))
  })
  socket.addEventListener('close', () => {
    for (const asked of waiting.values()) asked.reject(new Error('The browser closed the connection.'))
    waiting.clear()
  })
  const listen = (key: string, listener: Listener) =>
    listeners.set(key, (listeners.get(key) ?? new Set()).add(listener))
  const session = (session_id: string): CdpSession => ({
    send<T>(method: string, params: object = {}) {
      const id = ++last
      const asked = Promise.withResolvers<object>()
      waiting.set(id, asked)
      socket.send(JSON.stringify({ id, method, params, ...(session_id !== '' && { sessionId: session_id }) }))
      return asked.promise as Promise<T>
    },
    on: (event, listener) => void listen(`${session_id} ${event}`, listener),
    once: (event) =>
      new Promise((resolve) => {
        const key = `${session_id} ${event}`
        const listener = () => {
          listeners.get(key)?.delete(listener)
          resolve()
        }
        listen(key, listener)
      }),
    session,
    close: () => socket.close(),
  })
  return session('')
}
