/** From settings to the files of alerting, and the targets of the engine over them. */
import { fieldError, Failure } from '../../kernel/failure.ts'
import type { Core } from '../../core/core.ts'
import type { Feature } from '../../core/feature.ts'
import { managedFile } from '../../io/files/managed-file.ts'
import { ALERTING } from '../../model/component.ts'
import { WRITTEN_BY_OWNER } from '../../model/file-access.ts'
import { settingsCheck } from './checks.ts'
import { type AlertingSettings, type Rendered, render, templatePath } from './rendering.ts'
import { alertingFileTarget, type AlertingTarget } from './target/target.ts'

const MAX_BYTES = 8 * 1024 * 1024

/** Throws `bad_configuration` where two of the files are one. */
export function alertingFeature(
  settings: AlertingSettings,
  { clock, log }: Pick<Core, 'clock' | 'log'>,
): Feature {
  const { rules_file, router_file } = settings.alerting
  assertApart(settings.alerting)
  const { rules, template, router, missing } = render(settings)
  const kept = (key: string, rendered: Rendered | null): readonly AlertingTarget[] => {
    if (rendered === null) return []
    const { path, text } = rendered
    const file = managedFile(path, { max_bytes: MAX_BYTES, access: WRITTEN_BY_OWNER, log })
    return [alertingFileTarget({ key, file, text, clock })]
  }
  return {
    name: 'alerting',
    // The template first: a configuration that names none is not taken.
    targets: [
      ...kept(`${ALERTING}:template`, template),
      ...kept(`${ALERTING}:router`, router),
      ...kept(`${ALERTING}:rules`, rules),
    ],
    checks: [settingsCheck(rules_file !== null || router_file !== null, missing)],
  }
}

function assertApart({ rules_file, router_file, template_file }: AlertingSettings['alerting']): void {
  const template = router_file === null ? template_file : templatePath({ template_file }, router_file)
  const named = [
    ['PLUMBLINE_ALERT_RULES_FILE', rules_file],
    ['PLUMBLINE_ALERTMANAGER_FILE', router_file],
    ['PLUMBLINE_ALERT_TEMPLATE_FILE', template],
  ] as const
  for (const [at, [name, path]] of named.entries())
    for (const [other, taken] of named.slice(0, at)) {
      if (path === null || path !== taken) continue
      const msg = `must be another file than ${other}`
      throw new Failure('bad_configuration', `${name} ${msg}.`, {
        errors: [fieldError([name], msg, 'config')],
      })
    }
}
