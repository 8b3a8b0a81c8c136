/** A deployment's result, for people or as JSON. */
import type { DeploymentResult } from '../core/answers.ts'
import { styled, table, type Terminal } from './terminal.ts'

export function tellDeployment(done: DeploymentResult, terminal: Terminal): void {
  tellDone(done, terminal)
  if (terminal.json) return
  for (const { domain, message } of done.refused)
    terminal.out(styled('red', `  refused: ${domain}: ${message}`))
}

/** Without what was refused, of which some answers speak in a way of their own. */
export function tellDone(done: Omit<DeploymentResult, 'refused'>, terminal: Terminal): void {
  if (terminal.json) return terminal.out(JSON.stringify(done, null, 2))
  terminal.out(`${done.message} Release ${done.release}.`)
  const rows = done.components.map(({ component, outcome }) => [component, outcome])
  for (const line of table(rows)) terminal.out(`  ${line}`)
  for (const { domain, detail } of done.rejected ?? [])
    terminal.out(styled('red', `  not served: ${domain}: ${detail}`))
  for (const { domain } of done.pending) terminal.out(`  still pending: ${domain}`)
  for (const warning of done.warnings) terminal.note(`warning: ${warning}`)
}
