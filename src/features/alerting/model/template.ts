/** The template of alert mails: subject and body, and a link by which whoever reads it can say that they have. Pure. */
import { TEMPLATE_HEADER } from './header.ts'

export const SUBJECT = '{{ template "plumbline.subject" . }}'
export const TEXT = '{{ template "plumbline.text" . }}'

/** Odd characters of a value match any one in the link: what a page reads of an address differs. */
const FILTER =
  '%7B{{ range $i, $p := .GroupLabels.SortedPairs }}{{ if $i }}%2C{{ end }}{{ $p.Name }}%3D~%22' +
  '{{ $p.Value | reReplaceAll "[^A-Za-z0-9._-]" "." }}%22{{ end }}%7D'

const STOPS_SECOND = ' (the second recipient is then not told)'
const SECOND = {
  none: '',
  all: STOPS_SECOND,
  critical: `{{ if eq .GroupLabels.severity "critical" }}${STOPS_SECOND}{{ end }}`,
} as const

/** @param secondary of which alerts somebody else is told where nobody reacts */
export const mailTemplate = (secondary: keyof typeof SECOND): string =>
  `${TEMPLATE_HEADER}{{ define "plumbline.subject" }}[{{ .Status | toUpper }}] {{ .GroupLabels.alertname }}{{ end }}
{{ define "plumbline.text" }}{{ range .Alerts }}Alert: {{ .Labels.alertname }}
Severity: {{ .Labels.severity }}
Instance: {{ .Labels.instance }}
Status: {{ .Status }}
Description: {{ .Annotations.description }}
Since: {{ .StartsAt.UTC.Format "2006-01-02 15:04:05 UTC" }}{{ if eq .Status "resolved" }}
Until: {{ .EndsAt.UTC.Format "2006-01-02 15:04:05 UTC" }}{{ end }}

{{ end }}Acknowledge${SECOND[secondary]}: {{ .ExternalURL }}/#/silences/new?filter=${FILTER}
{{ end }}
`
