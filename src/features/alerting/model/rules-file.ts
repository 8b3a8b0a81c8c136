/** The rules file: the rules in their groups, and the mark by which the running ones are known. Pure. */
import { sha256 } from '../../../kernel/digest.ts'
import { HEADER } from './header.ts'
import { MARK } from './marks.ts'
import type { Jobs, Rule, RuleGroup } from './rule.ts'
import {
  alertRouterRules,
  dashboardRules,
  metricsServerRules,
  monitoringRules,
  proxyRules,
} from './service-rules.ts'
import { STORAGE_RULES } from './storage-rules.ts'
import { type Plain, yamlText } from './yaml.ts'

export interface RulesFile {
  readonly text: string
  /** What the annotation of the last rule says. */
  readonly mark: string
  readonly groups: readonly RuleGroup[]
}

export interface RuleNames {
  readonly jobs: Jobs
  readonly mounts: readonly string[]
}

/** @param beside a file of rules that is read with it: both are loaded where the mark of this one is shown */
export function rulesFile({ jobs, mounts }: RuleNames, beside: string | null = null): RulesFile {
  const groups = [
    metricsServerRules(jobs, mounts),
    alertRouterRules(jobs),
    dashboardRules(jobs),
    proxyRules(jobs),
    monitoringRules(jobs),
    STORAGE_RULES,
  ]
  const mark = sha256([yamlText(asPlain(groups, null)), beside ?? '']).slice(0, 12)
  return { text: `${HEADER}${yamlText(asPlain(groups, mark))}`, mark, groups }
}

const asPlain = (groups: readonly RuleGroup[], mark: string | null): Plain => ({
  groups: groups.map(({ name, rules }, n) => ({
    name,
    rules: rules.map((rule, at) =>
      plainRule(rule, n === groups.length - 1 && at === rules.length - 1 ? mark : null),
    ),
  })),
})

const plainRule = (
  { alert, expr, lasting, severity, instance, summary, description }: Rule,
  mark: string | null,
): Plain => ({
  alert,
  expr,
  ...(lasting !== null && { for: lasting }),
  labels: { severity, ...(instance !== undefined && { instance }) },
  annotations: { summary, description, ...(mark !== null && { [MARK]: mark }) },
})
