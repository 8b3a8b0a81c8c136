/** From a `serversTransport` to what a record says of it: timeouts, and whom the proxy trusts over TLS. */
import type { BackendTls } from '../../../model/domain/backend-tls.ts'
import { FIELDS } from '../../../model/domain/record.ts'
import { accept, type Parsed, refuse } from '../../../model/text/result.ts'
import type { Setting } from './context.ts'
import { resolve } from './inventory.ts'
import type { FilePosition } from './place.ts'
import { named } from '../../routes/grammar/named.ts'
import { flagOf, isMapping, listOf, shape, textOf } from '../../routes/grammar/tree.ts'

export type BackendSetting = Pick<Setting, 'inventory'> & {
  readonly context: Pick<Setting['context'], 'readAuthority'>
}

interface Transport {
  /** Of its own, which is what the service type `api` has. */
  readonly timeouts: boolean
  readonly backend_tls: BackendTls | null
  readonly uses: readonly FilePosition[]
}

const KEYS = [
  'forwardingTimeouts',
  'insecureSkipVerify',
  'rootCAs',
  'serverName',
  'certificates',
  'maxIdleConnsPerHost',
  'disableHTTP2',
  'minVersion',
  'maxVersion',
  'cipherSuites',
  'peerCertURI',
  'spiffe',
] as const
const SAYABLE: readonly string[] = ['forwardingTimeouts', 'insecureSkipVerify', 'rootCAs', 'serverName']

/** @param over_tls whether the server that it is for is spoken TLS to: else what it says of TLS means nothing */
export function readTransport(
  reference: unknown,
  over_tls: boolean,
  { inventory, context }: BackendSetting,
): Parsed<Transport> {
  if (reference === undefined) return accept({ timeouts: false, backend_tls: null, uses: [] })
  const name = textOf(reference) ?? ''
  const which = `the serversTransport ${named(name)}`
  const found = resolve(inventory, 'http.serversTransports', name)
  const read = found.kind === 'item' && !found.item.template ? shape(found.item.value, KEYS) : null
  if (found.kind !== 'item' || read === null)
    return refuse('service', `has ${which}, which a record cannot say`)
  if (!read.ok) return refuse('service', `has ${which}, which ${read.reason}`)
  const unsayable = Object.keys(read.fields).find((key) => !SAYABLE.includes(key))
  if (unsayable !== undefined)
    return refuse('service', `has ${which} with ${named(unsayable)}, which a record cannot say`)
  const { forwardingTimeouts: timeouts, insecureSkipVerify, rootCAs, serverName } = read.fields
  if (timeouts !== undefined && !isMapping(timeouts))
    return refuse('service', `has ${which}, whose forwardingTimeouts are no mapping`)
  const tls = over_tls ? trustIn({ insecureSkipVerify, rootCAs, serverName }, context) : accept(null)
  if (!tls.ok) return refuse('service', `has ${which}, ${tls.msg}`)
  const uses = [{ file: found.item.file, where: found.item.where }]
  return accept({ timeouts: timeouts !== undefined, backend_tls: tls.value, uses })
}

interface Said {
  readonly insecureSkipVerify: unknown
  readonly rootCAs: unknown
  readonly serverName: unknown
}

function trustIn(
  { insecureSkipVerify, rootCAs, serverName }: Said,
  { readAuthority }: BackendSetting['context'],
): Parsed<BackendTls | null> {
  const insecure = insecureSkipVerify === undefined ? false : flagOf(insecureSkipVerify)
  if (insecure === null) return refuse('service', 'whose insecureSkipVerify is neither true nor false')
  const name = serverName === undefined || serverName === '' ? {} : { server_name: serverName }
  if (insecure) return parsed({ trust: 'insecure', ...name })
  const roots = rootCAs === undefined ? [] : listOf(rootCAs)
  if (roots === null) return refuse('service', 'whose rootCAs are no list of texts')
  if (roots.length === 0) return 'server_name' in name ? parsed({ trust: 'system', ...name }) : accept(null)
  const pems = pemsOf(roots, readAuthority)
  return pems.ok ? parsed({ trust: 'ca', pem: pems.value.join('\n'), ...name }) : pems
}

function pemsOf(
  roots: readonly string[],
  readAuthority: BackendSetting['context']['readAuthority'],
): Parsed<readonly string[]> {
  const pems: string[] = []
  for (const root of roots) {
    const pem = root.includes('-----BEGIN') ? root : readAuthority(root)
    if (pem === null)
      return refuse(
        'service',
        `whose authority ${named(root)} cannot be read here; put its certificate in its place`,
      )
    pems.push(pem)
  }
  return accept(pems)
}

function parsed(value: unknown): Parsed<BackendTls | null> {
  const tls = FIELDS.backend_tls.parse(value)
  return tls.ok ? tls : refuse('service', `whose ${tls.msg}`)
}
