/** From settings to the rules file, and to what a site's operator says of single domains. */
import { readFileSync } from 'node:fs'
import { managedFile } from '../../io/files/managed-file.ts'
import { readYamlAside } from '../../io/yaml/aside.ts'
import { yamlDocuments } from '../../io/yaml/documents.ts'
import { yamlLine } from './rules-file/locate.ts'
import { changedAt } from '../../kernel/changed-at.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Failure, fieldError } from '../../kernel/failure.ts'
import type { Log } from '../../kernel/log.ts'
import type { ReadAside } from '../../ports/documents.ts'
import type { Store } from '../../ports/store.ts'
import type { ProviderModule } from './provider/sso-provider-wiring.ts'
import { type LoadParts, rulesWitness } from './target/load.ts'
import { parseSitePolicies, type SitePolicies } from './target/policies.ts'
import { RefusedRules } from './target/refused.ts'
import { MAX_RULES_BYTES } from './target/rules-view.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'

export type RulesParts = LoadParts & { readonly read: ReadAside }

interface Given {
  readonly module: ProviderModule
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

export function rulesParts(path: string, { module, store, clock, log }: Given): RulesParts {
  const file = managedFile(path, { max_bytes: MAX_RULES_BYTES, access: WRITTEN_BY_OWNER, log })
  const changed = () => changedAt(file.path)
  const { provider, restarts } = module
  const refused = new RefusedRules(store, clock)
  const parts = { file, changed, provider, restarts, store, refused, clock, read: readYamlAside }
  restarts.witness(rulesWitness(parts))
  return parts
}

/** Throws `bad_configuration` with every fault. */
export function sitePolicies(path: string | null): SitePolicies {
  if (path === null) return new Map()
  const text = textOf(path)
  const read = yamlDocuments.read(text)
  if (!read.ok) throw badPolicies(path, [`line ${read.line ?? '?'} ${read.msg}`])
  const { policies, errors } = parseSitePolicies(read.data)
  if (errors.length > 0)
    throw badPolicies(
      path,
      errors.map(({ loc, msg }) => `line ${yamlLine(text, loc) ?? '?'} ${loc.join('.')} ${msg}`),
    )
  return policies
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw badPolicies(path, [`cannot be read (${(cause as Error).message})`])
  }
}

const badPolicies = (path: string, faults: readonly string[]): Failure =>
  new Failure(
    'bad_configuration',
    faults.map((fault) => `PLUMBLINE_SSO_POLICIES_FILE: ${path}: ${fault}.`).join('\n'),
    {
      errors: faults.map((fault) =>
        fieldError(['PLUMBLINE_SSO_POLICIES_FILE'], `${path}: ${fault}`, 'config'),
      ),
    },
  )
