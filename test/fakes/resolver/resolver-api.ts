/** The APIs of LAN resolvers, as far as they are read: strict about what is asked and how, and able to misbehave. */
import { createServer, type IncomingMessage } from 'node:http'

export interface ResolverApi {
  readonly base: string
  /** `GET /control/rewrite/list`, in the order of asking. */
  readonly asked: readonly string[]
  /** Sessions that are open. */
  readonly sessions: ReadonlySet<string>
  close(): Promise<void>
}

export interface Answer {
  readonly status?: number
  readonly body: unknown
}

export type Handler = (request: {
  readonly line: string
  readonly headers: IncomingMessage['headers']
  readonly json: unknown
  readonly sessions: Set<string>
}) => Answer

/** A body that is a text goes out as it is, so that it can be no JSON. */
export async function resolverApi(handle: Handler): Promise<ResolverApi> {
  const asked: string[] = []
  const sessions = new Set<string>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const line = `${request.method ?? ''} ${request.url ?? ''}`
      asked.push(line)
      const text = Buffer.concat(chunks).toString('utf8')
      const json: unknown = text === '' ? null : JSON.parse(text)
      const { status = 200, body } = handle({ line, headers: request.headers, json, sessions })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { readonly port: number }
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    sessions,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const NOT_FOUND: Answer = { status: 404, body: { error: 'not found' } }
