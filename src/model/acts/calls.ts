/** Each act as the call that does it. Pure. */
import type { Act, ActConfirm } from './act.ts'

type Options = Partial<Pick<Act, 'body' | 'why_not'>> & { readonly method?: Act['method'] }

const act = (
  id: Act['id'],
  label: string,
  path: string,
  confirm: ActConfirm,
  { method = confirm === 'none' ? 'GET' : 'POST', body = null, why_not = null }: Options = {},
): Act => ({ id, label, method, path, body, confirm, why_not })

/** @param ids of the records; none for everything that is saved */
export const deployAct = (ids: readonly number[]): Act => {
  const [id] = ids
  if (ids.length > 1)
    return act('deploy', `Deploy what is saved of ${ids.length} domains`, '/api/plans', 'plan', {
      body: { domains: ids },
    })
  return ids.length === 1
    ? act('deploy', 'Deploy what is saved', '/api/plans', 'plan', { body: { domain: id } })
    : act('deploy', 'Deploy all that is saved', '/api/plans', 'plan', { body: {} })
}

export const repairAct = (component: string, why_not: string | null): Act =>
  act('repair', 'Put back what is released', '/api/plans', 'plan', { body: { component }, why_not })

/** Looks and tries again at once, whatever the wait after a failure. */
export const retryAct = (component: string, why_not: string | null): Act =>
  act('retry', 'Try again now', `/api/reconcile?target=${encodeURIComponent(component)}`, 'dry_run', {
    why_not,
  })

/** @param scope of the mode that is in force: a component, or `*` for the installation */
export const resumeAct = (scope: string): Act =>
  act('resume', 'Resume automatic repair', `/api/modes/${encodeURIComponent(scope)}`, 'dry_run', {
    method: 'PUT',
    body: { mode: 'repair' },
  })

export const lookAct = (path: string): Act => act('look', 'Look again', path, 'none')

/** @param release the number to go back to */
export const goBackAct = (release: number): Act => {
  const why_not = release < 1 ? 'There is no release before the present one.' : null
  const number = Math.max(1, release)
  return act('go_back', `Go back to release ${number}`, `/api/releases/${number}/restore`, 'dry_run', {
    why_not,
  })
}

export const liftAct = (domain: string): Act =>
  act('lift', 'Let it be served again', `/api/sso/quarantine/${encodeURIComponent(domain)}/lift`, 'dry_run')

interface RecordName {
  readonly name: string
  readonly type: string
}

export const adoptAct = ({ name, type }: RecordName, why_not: string | null): Act =>
  act('adopt', 'Take it over', '/api/dns/records/adopt', 'dry_run', { body: { name, type }, why_not })

export const releaseRecordAct = ({ name, type }: RecordName): Act =>
  act('release_record', 'Give it up', '/api/dns/records/release', 'dry_run', { body: { name, type } })

export const removeRecordAct = ({ name, type }: RecordName): Act =>
  act('repair', 'Take it away', '/api/dns/records/remove', 'dry_run', { body: { name, type } })

export const renewAct = (why_not: string | null): Act =>
  act('retry', 'Obtain it now', '/api/tls/reconcile?retry=true', 'dry_run', { why_not })

/** What was refused to a certificate waits, and a repair of it with it: a retry does not. */
export const refusedAct = (component: string, why_not: string | null): Act =>
  component === 'certificates' ? renewAct(why_not) : repairAct(component, why_not)

/** Settings are read at the start, so no call sets one: this one shows what is in effect. */
export const configureAct = (setting: string): Act =>
  act('configure', `Set ${setting}`, '/api/settings', 'none')

/** Why it may stay, and until when, only a person can say. */
export const ignoreAct = (item: string): Act =>
  act('ignore', 'Ignore until…', `/api/drift/ignored/${encodeURIComponent(item)}`, 'asks', {
    method: 'PUT',
    body: { reason: null, until: null },
  })

/** What a hand made of it becomes an edit that waits; nothing is deployed by it. */
export const saveTheirsAct = (item: string): Act =>
  act('save_theirs', 'Save theirs as an edit', '/api/drift/save-theirs', 'dry_run', { body: { item } })

/** Saves it as it is released. */
export const discardAct = (id: number): Act =>
  act('discard', 'Give up what is saved', `/api/domains/${id}/discard`, 'dry_run')
