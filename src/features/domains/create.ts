/** Saves a new record. It is inactive and nothing outside moves until it is activated. */
import type { CoreParts } from '../../core/parts.ts'
import { type FieldError, invalid } from '../../kernel/failure.ts'
import { NOT_FETCHED } from '../../model/domain/backend-rules.ts'
import { checkNew } from '../../model/domain/rules.ts'
import { type DomainRecord, fieldsOf } from '../../model/domain/record.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { SuccessAnswer } from '../../core/answers.ts'
import { withCertificate } from './backend/fetch-certificate.ts'
import { commit } from '../../core/commit/commit.ts'
import { type Change, ONLY_SAVES } from '../../core/commit/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Deps } from './deps.ts'
import { deployedElsewhere } from './deployed-elsewhere.ts'
import { rehearsedSave } from './rehearse-save.ts'
import { statusErrors } from './status-field.ts'
import type { RehearsedSave } from './api/save-schemas.ts'

export type DomainInput = Readonly<Record<string, unknown>>

export async function createDomain(
  deps: Deps,
  given: DomainInput,
  caller: Caller,
): Promise<SuccessAnswer | RehearsedSave> {
  const input = await withCertificateOfNew(deps, given, caller)
  const committed = await commit(deps, caller, (tx, at) => creation(deps, tx, input, at))
  if (committed.planned)
    return rehearsedSave(deps, caller, {
      before: null,
      after: committed.result,
      plan: committed.plan,
      save: async (tx, at) => (await insertChecked(deps, tx, input, at)).record,
    })
  const { result: record, warnings } = committed
  const message = `Saved ${record.domain}. It is inactive; ${whatActivatingDoes(record)}.`
  return { success: true, domain_id: record.id, message, revision: record.revision, warnings }
}

async function creation(
  deps: CoreParts,
  tx: StoreWriter,
  input: DomainInput,
  at: number,
): Promise<Change<DomainRecord>> {
  const { record, warnings } = await insertChecked(deps, tx, input, at)
  const audit = [{ ...createdAudit(record), detail: valuesIn(record) }]
  return { result: record, audit, ...ONLY_SAVES, saves: [record], warnings }
}

/** A certificate that is named by its fingerprint is fetched before anything is written. */
export const withCertificateOfNew = (deps: Pick<Deps, 'backend'>, input: DomainInput, caller: Caller) =>
  withCertificate(deps.backend, { input, present: null, loc: ['body', 'backend_tls'] }, caller)

/** Checks and inserts within the caller's transaction. Throws `validation_failed`, `name_taken`, `entrypoint_taken`. */
export async function insertChecked(
  deps: CoreParts,
  tx: StoreWriter,
  input: DomainInput,
  at: number,
): Promise<{ record: DomainRecord; warnings: readonly string[] }> {
  const { errors, checked } = evaluated(deps, input)
  if (!checked.ok || errors.length > 0) throw invalid(errors)
  const record = await tx.insertDomain(checked.fields, at)
  return { record, warnings: [...checked.warnings, ...(await deployedElsewhere(tx, record))] }
}

function evaluated({ offer }: Pick<Deps, 'offer'>, { status, ...fields }: DomainInput) {
  const checked = checkNew(fields, offer)
  const errors = [...statusErrors('inactive', status), ...(checked.ok ? [] : checked.errors)]
  return { checked, errors }
}

const whatActivatingDoes = ({ service_type }: DomainRecord): string =>
  service_type === 'manual'
    ? 'activating it writes no route and no DNS record, since it is managed elsewhere'
    : 'activate it to put it into the routes file'

/** What is wrong with a new record. Takes anything. */
export const newDomainFaults = (deps: Pick<Deps, 'offer'>, input: unknown): readonly FieldError[] =>
  isInput(input) ? evaluated(deps, input).errors.filter(isOfTheCaller) : []

/** A certificate that is still to be fetched is nothing that the caller did wrong. */
export const isOfTheCaller = ({ type }: FieldError): boolean => type !== NOT_FETCHED

export const isInput = (input: unknown): input is DomainInput =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** The values that a new record has, but for its name and what says nothing. */
export const valuesIn = (record: DomainRecord): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fieldsOf(record)).filter(
      ([name, value]) => name !== 'domain' && (ALWAYS_SAID.has(name) || !isNothing(value)),
    ),
  )

/** Of these the answer "no" matters. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['auth_required', 'ssl_enabled'])

const isNothing = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.values(value).length === 0)

export const createdAudit = (record: DomainRecord) => ({
  action: 'create',
  domain_id: record.id,
  domain: record.domain,
  revision_before: null,
  revision_after: record.revision,
})
