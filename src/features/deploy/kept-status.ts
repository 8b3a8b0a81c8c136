/** The outcome of a deploy-all as it is kept, and reading it back from a place that may be damaged. Pure. */

export interface DeployStatus {
  /** RFC 3339, or null before the first deploy-all. */
  readonly timestamp: string | null
  readonly success: boolean | null
  readonly domain_count: number
  /** SHA-256 of the released routes file. */
  readonly routes_file_hash: string | null
  readonly warnings: readonly string[]
  readonly release: number | null
  /** Whether the proxy ran it when the deploy ended; null where that was not known. */
  readonly loaded_then: boolean | null
  /** The last deploy-proxy; null before the first. It is no deploy-all, and none of the above speaks of it. */
  readonly deploy_proxy: ProxyDeploy | null
}

export interface ProxyDeploy {
  /** RFC 3339. */
  readonly timestamp: string
  readonly success: boolean
  readonly release: number | null
  readonly warnings: readonly string[]
  readonly loaded_then: boolean | null
}

export const NEVER_DEPLOYED: DeployStatus = {
  timestamp: null,
  success: null,
  domain_count: 0,
  routes_file_hash: null,
  warnings: [],
  release: null,
  loaded_then: null,
  deploy_proxy: null,
}

const isText = (value: unknown): boolean => value === null || typeof value === 'string'
const isTruth = (value: unknown): boolean => value === null || typeof value === 'boolean'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value)

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

function isProxyDeploy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  const { timestamp, success, release, warnings, loaded_then } = value as Readonly<Record<string, unknown>>
  const is_release = release === null || isCount(release)
  return (
    typeof timestamp === 'string' &&
    typeof success === 'boolean' &&
    is_release &&
    isTexts(warnings) &&
    isTruth(loaded_then)
  )
}

const IS_SOUND: Readonly<Record<keyof DeployStatus, (value: unknown) => boolean>> = {
  timestamp: isText,
  success: isTruth,
  domain_count: isCount,
  routes_file_hash: isText,
  warnings: isTexts,
  release: (value) => value === null || isCount(value),
  loaded_then: isTruth,
  deploy_proxy: isProxyDeploy,
}

/** Null for nothing and for what is no such status. What an older version kept lacks what is newer. */
export function parseStatus(text: string | null): DeployStatus | null {
  const kept = text === null ? null : parsed(text)
  if (kept === null) return null
  const status = { ...NEVER_DEPLOYED, ...kept }
  const keys = Object.keys(NEVER_DEPLOYED) as (keyof DeployStatus)[]
  const is_of_none = typeof status.timestamp !== 'string' && status.deploy_proxy === null
  if (is_of_none || !keys.every((key) => IS_SOUND[key](status[key]))) return null
  return Object.fromEntries(keys.map((key) => [key, status[key]])) as unknown as DeployStatus
}

function parsed(text: string): Partial<DeployStatus> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
