/** Files of one folder put together: the first that defines a name wins, the later one is left out with a warning in the log. */
import type { Configuration } from '../decode/decode.ts'

type Objects = Readonly<Record<string, unknown>>

/** @param files in the order of their names. */
export function merged(files: readonly Configuration[], log: (line: string) => void): Configuration {
  const all: Record<string, Record<string, unknown>> = {}
  for (const file of files)
    for (const [section, parts] of Object.entries(file)) {
      const into = (all[section] ??= {})
      for (const [part, objects] of Object.entries(parts))
        into[part] = Array.isArray(objects)
          ? [...((into[part] ?? []) as unknown[]), ...(objects as unknown[])]
          : joined((into[part] ?? {}) as Objects, objects as Objects, (name) =>
              log(`${section.toUpperCase()} ${part} ${name} already configured, skipping`),
            )
    }
  return all
}

function joined(first: Objects, second: Objects, onSkip: (name: string) => void): Objects {
  const all: Record<string, unknown> = { ...first }
  for (const [name, object] of Object.entries(second))
    if (Object.hasOwn(all, name)) onSkip(name)
    else all[name] = object
  return all
}
