/** What a restore does with records beside the plan of its deploy; any other answer has nothing of it. */

type Named = readonly { readonly domain: string; readonly reason?: string }[]

const MAX_NOTES = 20

export function notesOf(answer: object): readonly string[] {
  const listOf = (name: string): Named => {
    const list = (answer as Readonly<Record<string, unknown>>)[name]
    return Array.isArray(list) ? (list as Named) : []
  }
  return [
    ...listOf('skipped').map(({ domain, reason = '' }) => `${domain} stays as it is: ${reason}`),
    ...listOf('deactivated').map(({ domain }) => `${domain} is taken out of service: it was not live then.`),
    ...listOf('created').map(({ domain }) => `${domain} is made again: it was deleted since.`),
  ].slice(0, MAX_NOTES)
}
