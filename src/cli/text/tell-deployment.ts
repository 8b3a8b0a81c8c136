/** A deployment's result, for people or as JSON. */
import type { DeploymentResult } from '../../core/answers.ts'
import { styled, tellJson, type Terminal } from './terminal.ts'
import { tellProse, tellTable } from './table.ts'
import { tellWarnings } from './tell-warnings.ts'

/** @param unmoved what is said where there was nothing to do, as a sentence; left out where something always moves */
export function tellDeployment(done: DeploymentResult, terminal: Terminal, unmoved?: string): void {
  const is_unmoved = done.success && done.components.every(({ outcome }) => outcome === 'clean')
  tellDone(
    is_unmoved && unmoved !== undefined && !terminal.json ? { ...done, message: unmoved } : done,
    terminal,
  )
  if (terminal.json) return
  for (const { domain, message } of done.refused)
    tellProse(terminal, styled('red', `  refused: ${domain}: ${message}`))
}

/** Without what was refused, of which some answers speak in a way of their own. */
export function tellDone(done: Omit<DeploymentResult, 'refused'>, terminal: Terminal): void {
  if (terminal.json) return tellJson(terminal, done)
  tellProse(terminal, `${done.message} Release ${done.release}.`)
  const rows = done.components.map(({ key, outcome, message }) => [key, outcome, message ?? ''])
  tellTable(terminal, rows, { indent: '  ' })
  for (const { domain, detail } of done.rejected ?? [])
    tellProse(terminal, styled('red', `  not served: ${domain}: ${detail}`))
  for (const { domain } of done.pending) terminal.out(`  still pending: ${domain}`)
  tellWarnings(
    done.warnings.filter((warning) => !isSaidIn(done.message, warning)),
    terminal,
  )
}

/** `app.example.com: its backend refuses connections.` is no second sentence where the message says that of the one domain. */
const isSaidIn = (message: string, warning: string): boolean => {
  const words = /^\S+: (.{8,}?)\.?$/s.exec(warning)?.[1]
  return words !== undefined && message.includes(words)
}
