/**
 * Secrets of ours in an entry of the operator's catalogue. Pure.
 *
 * The attack: what an entry holds stands in the routes file, in its releases and in what edges and holders of a read-only key
 * are answered. Whoever knows the secret of the proxy may call in anybody's name, and whoever knows the key may do everything.
 */
import { type FieldError, fieldError } from '../../../kernel/failure.ts'
import type { Secret } from '../../../kernel/secret.ts'
import { isMap } from '../opens/config-check.ts'

export interface NamedSecret {
  /** The setting that gives it. */
  readonly name: string
  readonly secret: Secret
}

type Path = readonly (string | number)[]

/** A shorter one is in many a text by chance. */
const MIN_SEARCHED = 8

/** A fault for each secret and each place in the entry that holds it, under a name or in a text. */
export function secretFaults(entry: string, value: unknown, secrets: readonly NamedSecret[]): FieldError[] {
  const hidden = (text: string): string =>
    secrets.reduce((left, { secret }) => secret.hideIn(left), text).slice(0, 64)
  return textsIn(value, [entry]).flatMap(({ path, text }) =>
    secrets
      .filter(({ secret }) => holds(text, secret))
      .map(({ name }) =>
        fieldError(
          path.map((part) => (typeof part === 'string' ? hidden(part) : part)),
          readable(name),
          'secret',
        ),
      ),
  )
}

const holds = (text: string, secret: Secret): boolean =>
  secret.equals(text) || (secret.reveal().length >= MIN_SEARCHED && secret.hideIn(text) !== text)

const readable = (name: string): string =>
  `holds the value of ${name}, and what stands here can be read in the routes file, in releases and by edges and read-only keys. ` +
  'Define the middleware in another file of the routes folder that only Traefik and Plumbline may read, under a name that does not begin with "plumbline-", ' +
  'such as proxy-proof, and say here config: { chain: { middlewares: ["proxy-proof@file"] } }. ' +
  `Where it was deployed, set another ${name}`

function textsIn(value: unknown, path: Path): { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }]
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, [...path, i]))
  if (!isMap(value)) return []
  return Object.entries(value).flatMap(([key, below]) => [
    { path, text: key },
    ...textsIn(below, [...path, key]),
  ])
}
