/** Redirects that a record says by itself: everything to HTTPS, and the bare root to a landing path. */
import { FIELDS } from '../../../../model/domain/record.ts'
import { parseDomainName } from '../../../../model/domain/hostname.ts'
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import type { ImportContext } from '../../../../ports/import-context.ts'
import { type Effect, effect } from '../effect.ts'
import { named } from '../../../routes/grammar/named.ts'
import { shape, textOf } from '../../../routes/grammar/tree.ts'

/** Where a redirect leads that names no port. */
const HTTPS_PORT = 443

export function redirectSchemeEffect(
  name: string,
  config: unknown,
  { entrypoints }: Pick<ImportContext, 'entrypoints'>,
): Parsed<Effect> {
  const redirect = shape(config, ['scheme', 'port', 'permanent'])
  if (!redirect.ok)
    return refuse('middleware', `uses the redirectScheme ${named(name)}, which ${redirect.reason}`)
  const { scheme, port } = redirect.fields
  const served = entrypoints.find(({ kind }) => kind === 'https')?.port ?? HTTPS_PORT
  return textOf(scheme)?.toLowerCase() === 'https' && (textOf(port) ?? `${HTTPS_PORT}`) === `${served}`
    ? effect({ redirects_to_https: true })
    : refuse(
        'middleware',
        `uses the redirectScheme ${named(name)}, which leads elsewhere than to HTTPS on port ${served}`,
      )
}

/** @param tls whether the router answers HTTPS: an expression for the other scheme never matches. */
export function landingEffect(name: string, config: unknown, tls: boolean): Parsed<Effect> {
  const redirect = shape(config, ['regex', 'replacement', 'permanent'])
  if (!redirect.ok)
    return refuse('middleware', `uses the redirectRegex ${named(name)}, which ${redirect.reason}`)
  const { regex, replacement } = redirect.fields
  const root = bareRoot(textOf(regex) ?? '', tls)
  const path = root === null ? null : landingPath(root, textOf(replacement) ?? '')
  return root === null || path === null
    ? refuse(
        'middleware',
        `uses the redirectRegex ${named(name)}, which redirects more than the bare root to a path`,
      )
    : effect({ landing: { path, host: root.host } })
}

interface BareRoot {
  /** Null for any host. */
  readonly host: string | null
  /** What `${1}` stands for. */
  readonly group: 'origin' | 'host' | null
}

const SCHEME = String.raw`(https\?|http\[s\]\?|https|http):\/\/`
const HOST = String.raw`(\[\^\/\][+*]|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)`
const FORMS: readonly (readonly [BareRoot['group'], RegExp])[] = [
  [null, new RegExp(String.raw`^\^${SCHEME}${HOST}\/\??\$$`)],
  ['host', new RegExp(String.raw`^\^${SCHEME}\(${HOST}\)\/\??\$$`)],
  ['origin', new RegExp(String.raw`^\^\(${SCHEME}${HOST}\)\/\??\$$`)],
]

/**
 * Reads the few forms in which people write "exactly the root of this host". The expression is looked at, never run: it
 * is somebody's Go expression, and JavaScript's engine can be made to take for ever.
 */
function bareRoot(regex: string, tls: boolean): BareRoot | null {
  const plain = regex.replaceAll(/\\([./:-])/g, '$1')
  for (const [group, form] of FORMS) {
    const [, scheme, host] = form.exec(plain) ?? []
    if (scheme === undefined || host === undefined) continue
    if (scheme === (tls ? 'http' : 'https')) return null
    if (host.startsWith('[')) return { host: null, group }
    const parsed = parseDomainName(host)
    return parsed.ok ? { host: parsed.value, group } : null
  }
  return null
}

/** The path that the replacement leads to on the same host, or null when it leads anywhere else. */
function landingPath({ host, group }: BareRoot, replacement: string): string | null {
  const target =
    /^(?:https?:\/\/(\$\{1\}|\$1(?![0-9A-Za-z_])|[^/$]+)|(\$\{1\}|\$1(?![0-9A-Za-z_])))(\/[^$]*)$/.exec(
      replacement,
    )
  if (target === null) return null
  const [, written, origin, path] = target
  const isGroup = written?.startsWith('$') === true
  const same =
    origin !== undefined ? group === 'origin' : isGroup ? group === 'host' : host !== null && written === host
  const parsed = same ? FIELDS.default_path.parse(path) : null
  return parsed?.ok === true ? parsed.value : null
}
