/** The first line of what is written here. It says the same whatever release there is, since another text is a reload. */
const WORDS =
  'Written by Plumbline, which undoes edits. To change it: its settings ALERT_EMAIL and PLUMBLINE_ALERT.'

/** Of YAML. */
export const HEADER = `# ${WORDS}\n`
/** Of a template. */
export const TEMPLATE_HEADER = `{{/* ${WORDS} */}}\n`
