/** A way to the HTTP API of a PowerDNS that lies: it accepts changes and does not pass them on, fails at them, or hides records. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { bareName, type Liar } from './liar.ts'

interface Sets {
  rrsets?: readonly { readonly name: string }[]
}

export async function lyingPowerDns(target_port: number): Promise<Liar> {
  const none: ReadonlySet<string> = new Set()
  const lies = { promised: none, failed: none, hidden: none, everywhere: false, silent: false, status: 500 }
  const tries = new Map<string, number>()
  const isAbout = (names: ReadonlySet<string>, { name }: { readonly name: string }) =>
    names.has(bareName(name))
  const answer = async (question: IncomingMessage, reply: ServerResponse) => {
    const sent = await buffer(question)
    const { method = 'GET', url = '/' } = question
    const about_one = new URL(url, 'http://localhost').searchParams.has('rrset_name')
    if (about_one && lies.silent) return void question.socket.destroy()
    if (method === 'PATCH') {
      const names = namesIn(sent)
      const [name] = names
      if (names.length === 1) tries.set(name!, (tries.get(name!) ?? 0) + 1)
      if (names.some((name) => lies.failed.has(name)))
        return void reply.writeHead(lies.status, { 'content-type': 'application/json' }).end(FAILED)
    }
    const body = method === 'PATCH' ? kept(sent, (set) => !isAbout(lies.promised, set)) : sent
    if (body === null) return void reply.writeHead(204).end()
    const got = await pass(target_port, question, body)
    const is_shown = method === 'GET' && got.status === 200 && (!about_one || lies.everywhere)
    const shown = is_shown
      ? (kept(got.body, (set) => !isAbout(lies.hidden, set), true) ?? got.body)
      : got.body
    reply.writeHead(got.status, { 'content-type': got.type, 'content-length': shown.length }).end(shown)
  }
  const server = createServer((question, reply) => {
    answer(question, reply).catch(() => reply.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { readonly port: number }).port,
    fail(names, status = 500) {
      lies.failed = new Set(names)
      lies.status = status
    },
    tries: (name) => tries.get(name) ?? 0,
    promise: (names) => void (lies.promised = new Set(names)),
    hide(names, everywhere = false) {
      lies.hidden = new Set(names)
      lies.everywhere = everywhere
    },
    silence: (is_silent) => void (lies.silent = is_silent),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const FAILED = JSON.stringify({ error: 'Internal Server Error' })

/** Each once, without marks. */
const namesIn = (sent: Buffer): readonly string[] => {
  const { rrsets = [] } = JSON.parse(sent.toString('utf8')) as Sets
  return [...new Set(rrsets.map(({ name }) => bareName(name)))]
}

/** A body with fewer sets; null where none is left. */
function kept(
  bytes: Buffer,
  isKept: (set: { readonly name: string }) => boolean,
  may_be_empty = false,
): Buffer | null {
  const body = JSON.parse(bytes.toString('utf8')) as Sets
  if (body.rrsets === undefined) return bytes
  const rrsets = body.rrsets.filter(isKept)
  return rrsets.length === 0 && !may_be_empty ? null : Buffer.from(JSON.stringify({ ...body, rrsets }))
}

interface Got {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

const pass = (port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = { ...headers, 'content-length': String(body.length), connection: 'close' }
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers: sent }, (reply) => {
      const type = reply.headers['content-type'] ?? 'application/json'
      buffer(reply).then((bytes) => resolve({ status: reply.statusCode ?? 0, type, body: bytes }), reject)
    })
    passed.on('error', reject)
    passed.end(body)
  })
