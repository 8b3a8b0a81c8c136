/** A house with rules to keep, and the provider that reads them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeAuthelia, startAuthelia } from '../fakes/sso/authelia.ts'
import { openTestHouse, type TestHouse, type TestHouseOptions } from './test-house.ts'

export interface SsoHouse extends TestHouse {
  readonly authelia: FakeAuthelia
  readonly rules_path: string
  readonly policies_path: string
  rules(): string
  [Symbol.asyncDispose](): Promise<void>
}

export interface SsoHouseOptions extends TestHouseOptions {
  /** The operator's policies file. */
  readonly policies?: string
  /** The users file that the provider reads, too. */
  readonly users_path?: string
}

export async function openSsoHouse({
  env,
  policies,
  users_path,
  ...options
}: SsoHouseOptions = {}): Promise<SsoHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-sso-'))
  const rules_path = join(folder, 'rules', 'access-control.yml')
  const policies_path = join(folder, 'policies.yml')
  if (policies !== undefined) writeFileSync(policies_path, policies)
  const authelia = await startAuthelia(rules_path, users_path)
  const at = await openTestHouse({
    ...options,
    env: {
      PLUMBLINE_SSO_RULES_FILE: rules_path,
      PLUMBLINE_SSO_URL: authelia.url,
      PLUMBLINE_SSO_RESTART: authelia.restart_setting,
      PLUMBLINE_SSO_RESTART_GAP: '0',
      ...(policies !== undefined && { PLUMBLINE_SSO_POLICIES_FILE: policies_path }),
      ...env,
    },
  })
  return {
    ...at,
    authelia,
    rules_path,
    policies_path,
    rules: () => readFileSync(rules_path, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await authelia.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
