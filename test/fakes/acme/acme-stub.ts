/**
 * A scripted authority over HTTPS on loopback: as strict as a real one while it behaves, and wrong in the way that a test
 * asks for when told so. It looks nothing up in the DNS: challenges are answered as `verdict` says.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTlsFiles, type TlsFiles } from '../../peers/tls-files.ts'
import { issuerIn } from './issuer.ts'
import { give, type Misconduct, type PlainAnswer, type Resource } from './misconduct.ts'
import { type AuthorityWays, Orders } from './orders.ts'
import { checkSigned } from './signed-request.ts'

export interface AcmeStub {
  readonly directory_url: string
  readonly ca_file: string
  /** What was asked for, in order. */
  readonly requests: readonly { readonly method: string; readonly resource: Resource }[]
  /** How it goes about its work; may be changed at any time. */
  readonly ways: AuthorityWays
  /** The next requests to a resource get these in place of an answer, in order. */
  misbehave(resource: Resource, ...instead: readonly Misconduct[]): void
  stop(): Promise<void>
}

const RESOURCE = /^\/([a-z-]+)(?:\/([\w.-]+))?$/
const SIGNED_BY_KEY: Resource = 'new-account'

/** Its TLS and its root in a folder; several authorities, one after another, may share them. */
export async function makeAuthority(): Promise<AuthorityFiles> {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'plumbline-acme-stub-'))
  const tls = await makeTlsFiles(directory)
  return { directory, tls, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

export interface AuthorityFiles {
  readonly directory: string
  readonly tls: TlsFiles
  readonly remove: () => void
}

/** `stop` leaves the files alone. */
export async function startAcmeStub({ directory, tls }: AuthorityFiles): Promise<AcmeStub> {
  const requests: { method: string; resource: Resource }[] = []
  const scripts = new Map<Resource, Misconduct[]>()
  const nonces = new Set<string>()
  const newNonce = (): string => {
    const nonce = randomBytes(16).toString('base64url')
    nonces.add(nonce)
    return nonce
  }
  const pair = { cert: readFileSync(tls.cert_file), key: readFileSync(tls.key_file) }
  const server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [, resource = '', id = ''] = RESOURCE.exec(request.url ?? '') ?? []
      requests.push({ method: request.method ?? '', resource: resource as Resource })
      const scripted = scripts.get(resource as Resource)?.shift()
      // What is used is used, also where the answer is a wrong one.
      const answer = (): Promise<PlainAnswer> =>
        answerTo({
          resource,
          id,
          url: `${origin}${request.url}`,
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        })
      Promise.resolve(scripted ?? answer()).then(
        (out) => give(response, out, newNonce()),
        (error: unknown) => give(response, { status: 500, body: String(error) }, newNonce()),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://127.0.0.1:${(server.address() as { port: number }).port}`
  const orders = new Orders(origin, issuerIn(directory))

  async function answerTo({ resource, id, url, headers, body }: Request): Promise<PlainAnswer> {
    if (resource === 'directory') return orders.directory()
    if (resource === 'new-nonce') return { status: 204 }
    if (resource === 'renewal-info') return orders.renewalInfo(id)
    const by_key = resource === SIGNED_BY_KEY
    const registry = {
      takeNonce: (nonce: string) => nonces.delete(nonce),
      account: (kid: string) => orders.account(kid),
    }
    const checked = checkSigned({ url, headers, body, by_key }, registry)
    return 'status' in checked ? checked : orders.answer(resource as Resource, id, { ...checked, url })
  }

  return {
    directory_url: `${origin}/directory`,
    ca_file: tls.ca_file,
    requests,
    ways: orders.ways,
    misbehave: (resource, ...instead) => {
      scripts.set(resource, [...(scripts.get(resource) ?? []), ...instead])
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Request {
  readonly resource: string
  readonly id: string
  /** The whole address. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
