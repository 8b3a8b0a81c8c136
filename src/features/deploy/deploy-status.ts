/** What the most recent deploy-all did, kept so that it can still be told when memory or database are gone. */
import type { DeployStatusAnswer, ProxyStatusAnswer } from '../routes/views.ts'
import type { CoreParts } from '../../core/parts.ts'
import { isoTime } from '../../kernel/clock.ts'
import { firstOf } from '../../kernel/async/first-of.ts'
import { Failure } from '../../kernel/failure.ts'
import type { DeploymentResult } from '../../core/answers.ts'
import type { Deps } from './deps.ts'
import { proxyDrift } from '../routes/proxy/proxy-drift.ts'
import { type DeployStatus, NEVER_DEPLOYED as NEVER, parseStatus, type ProxyDeploy } from './kept-status.ts'
import { keptDecision } from '../routes/proxy/decision-record.ts'
import { proxyStatus } from '../routes/proxy/proxy-status.ts'

type NewestRelease = NonNullable<DeployStatusAnswer['newest']>

/** What was kept, and beside it what the proxy says now. */
export async function readDeployStatus(deps: Deps, signal: AbortSignal): Promise<DeployStatusAnswer> {
  const [kept, proxy, newest] = await Promise.all([
    keptStatus(deps),
    proxyStatus(deps, signal),
    newestRelease(deps).catch(() => null),
  ])
  const { drift, differences } = proxyDrift(proxy)
  const cause = differences[0]?.cause ?? null
  return { ...kept, loaded: proxy.loaded, drift, cause, newest: newest && cured(newest, proxy), proxy }
}

/** What was decided stands until the proxy is seen to run it after all. */
const cured = (newest: NewestRelease, { loaded }: ProxyStatusAnswer): NewestRelease =>
  newest.proxy === 'not_loaded' && loaded === true ? { ...newest, proxy: 'loaded' } : newest

/** A deploy of one domain, an import and a going back are no deploy-all, and the person who asks wants to know of them. */
async function newestRelease({ store }: CoreParts): Promise<NewestRelease | null> {
  const head = await store.latestRelease()
  if (head === null) return null
  const { number: release, created_at, actor, reason } = head
  return { release, at: isoTime(created_at), actor, reason, proxy: await keptDecision(store, head) }
}

type Kept = Omit<DeployStatusAnswer, 'loaded' | 'drift' | 'cause' | 'newest' | 'proxy'>

/** The first place that has one which can be read. That one of them cannot must not hide what another still knows. */
async function keptStatus({ deploy_status, store }: Deps): Promise<Kept> {
  const memory = parseStatus(deploy_status.fromMemory())
  if (memory !== null) return from('memory', memory)
  const row = await store.deployStatus().catch(() => UNREADABLE)
  const stored = parseStatus(row)
  if (stored !== null) return from('db', stored)
  const filed = parseStatus(await deploy_status.fromFile())
  if (filed !== null) return from('file', filed)
  return from('db', row === null ? NEVER : { ...NEVER, warnings: [LOST] })
}

const UNREADABLE = ''
const LOST =
  'A deploy-all was made; what became of it can be read neither in the database nor beside the routes file.'

const from = (source: DeployStatusAnswer['source'], status: DeployStatus): Kept => ({
  ...status,
  source,
  fallback: source === 'file',
})

type Outcome = Pick<ProxyDeploy, 'success' | 'warnings' | 'loaded_then'>

/** Runs the deployment and keeps its outcome, good or bad. */
export async function keepDeployStatus(
  deps: Deps,
  of: 'deploy-all' | 'deploy-proxy',
  deploy: () => Promise<DeploymentResult>,
): Promise<DeploymentResult> {
  const kept = (outcome: Outcome) => (of === 'deploy-all' ? keepAll(deps, outcome) : keepProxy(deps, outcome))
  try {
    const result = await deploy()
    await kept({ success: result.success, warnings: reasonsOf(result), loaded_then: result.loaded })
    return result
  } catch (error) {
    const warning =
      error instanceof Failure ? error.message : 'The deployment failed inside; the log has the reason.'
    const loaded_then = error instanceof Failure && error.details.facts?.['loaded'] === false ? false : null
    await kept({ success: false, warnings: [warning], loaded_then })
    throw error
  }
}

/** The warnings of the answer, and what its lists say beside them: who reads the status has no lists. */
function reasonsOf({ warnings, refused, unfinished, shadowed }: DeploymentResult): readonly string[] {
  const reasons = [
    ...refused.map(({ domain, message }) => (message.includes(domain) ? message : `${domain}: ${message}`)),
    ...unfinished.map(({ message }) => message),
    ...(shadowed ?? []).map(({ detail }) => detail),
  ]
  const unnamed = reasons.filter((reason) => !warnings.some((warning) => warning.includes(reason)))
  return [...warnings, ...firstOf(unnamed, 'GET /api/drift')]
}

const keepAll = (deps: Deps, outcome: Outcome): Promise<void> =>
  keep(deps, async (before) => {
    const head = await deps.store.latestRelease()
    const released = await deps.store.intent('released')
    return {
      timestamp: isoTime(deps.clock.now()),
      ...outcome,
      domain_count: released.rows.filter((row) => row.live).length,
      routes_file_hash: head?.digests['routes'] ?? null,
      release: head?.number ?? null,
      deploy_proxy: before.deploy_proxy,
    }
  })

const keepProxy = (deps: Deps, outcome: Outcome): Promise<void> =>
  keep(deps, async (before) => {
    const release = (await deps.store.latestRelease())?.number ?? null
    return { ...before, deploy_proxy: { timestamp: isoTime(deps.clock.now()), release, ...outcome } }
  })

/** Best effort in both places: a status that cannot be kept must not undo a deployment that happened. */
async function keep(deps: Deps, next: (before: DeployStatus) => Promise<DeployStatus>): Promise<void> {
  try {
    const { source: _, fallback: __, ...before } = await keptStatus(deps)
    const text = JSON.stringify(await next(before))
    await deps.deploy_status.keep(text).catch((error: unknown) => {
      deps.log.warn('deploy status not kept in its file', { error })
    })
    await deps.store.write((tx) => tx.saveDeployStatus(text))
  } catch (error) {
    deps.log.warn('deploy status not kept', { error })
  }
}
