/** Objects of the runtime as the API shows them: their configuration, their full name and what went wrong with them. */

export type Config = Readonly<Record<string, unknown>>
export type Objects = Readonly<Record<string, Config>>

export interface RuntimeObject {
  readonly name: string
  readonly provider: string
  status: string
  error?: string[]
  readonly [key: string]: unknown
}

export interface Part {
  readonly routers: RuntimeObject[]
  readonly services: RuntimeObject[]
  readonly middlewares: RuntimeObject[]
}

/** Providers by their name, each with one section (`http`) of what it says. */
export type Sections = ReadonlyMap<string, Partial<Record<string, Objects>>>

export const qualified = (name: string, provider: string): string =>
  name.includes('@') ? name : `${name}@${provider}`

/** What is critical disables the object; anything else is a warning. */
export function addError(object: RuntimeObject, message: string, is_critical = true): void {
  if (object.error?.includes(message) === true) return
  object.error = [...(object.error ?? []), message]
  if (is_critical) object.status = 'disabled'
  else if (object.status !== 'disabled') object.status = 'warning'
}

/** What `build` makes of an object; what it throws stands as the object's own error, too. */
export function orItsError<T>(object: RuntimeObject, build: () => T): T {
  try {
    return build()
  } catch (error) {
    addError(object, (error as Error).message)
    throw error
  }
}

export const byName = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** One part of every provider. */
export function objectsOf(sections: Sections, part: string): RuntimeObject[] {
  return [...sections].flatMap(([provider, section]) =>
    Object.entries(section[part] ?? {}).map(([name, config]) => ({
      ...config,
      name: qualified(name, provider),
      provider,
      status: 'enabled',
      type: typeOf(config),
    })),
  )
}

const typeOf = (config: Config): string =>
  (Object.keys(config).find((key) => key !== 'middlewares') ?? '').toLowerCase()

/** Names of the routers that name each; through a chain nobody is counted. */
export function withUsers(
  objects: readonly RuntimeObject[],
  routers: readonly RuntimeObject[],
  namesOf: (router: RuntimeObject) => readonly string[],
): RuntimeObject[] {
  const users = new Map<string, string[]>()
  for (const router of byName(routers))
    for (const name of new Set(namesOf(router))) {
      const some = users.get(name)
      if (some === undefined) users.set(name, [router.name])
      else some.push(router.name)
    }
  for (const object of objects) {
    const usedBy = users.get(object.name)
    if (usedBy !== undefined) Object.assign(object, { usedBy })
  }
  return byName(objects)
}
