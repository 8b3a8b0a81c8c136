/** How findings of `plumbline doctor` are made. */
import type { Finding } from '../cli/verb.ts'

export const good = (check: string, detail: string): Finding => ({
  check,
  state: 'good',
  detail,
  remedy: null,
})
export const warning = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  detail,
  remedy,
})
export const bad = (check: string, detail: string, remedy: string): Finding => ({
  check,
  state: 'bad',
  detail,
  remedy,
})
