/** Completion for fish. */
import { NAMES, type VerbSpec } from './spec.ts'

export function fishScript(verbs: readonly VerbSpec[]): string {
  return `# Completion of plumbline for fish: plumbline completion fish | source
function __plumbline_names
  ${NAMES}
end
function __plumbline_verb
  set -l words (commandline -opc)
  test (count $words) -ge 2; and test "$words[2]" = $argv[1]
end
function __plumbline_first
  set -l words (commandline -opc)
  test (count $words) -ge 3; and test "$words[3]" = $argv[1]
end
function __plumbline_behind
  test (count (commandline -opc)) -eq $argv[1]
end
complete -c plumbline -f
${verbs.map(({ name, help }) => `complete -c plumbline -n '__plumbline_behind 1' -a ${name} -d ${quoted(help)}`).join('\n')}
complete -c plumbline -n '__plumbline_behind 1' -a help
complete -c plumbline -n '__plumbline_verb help' -a ${quoted([...verbs.map(({ name }) => name), 'tasks', 'exit-codes'].join(' '))}
${verbs.flatMap(linesOf).join('\n')}
${verbs.flatMap(behindOf).join('\n')}
`
}

const behindOf = ({ name, behind }: VerbSpec): readonly string[] =>
  behind.map(({ first, words, domains }) => {
    const offered = [...words, ...(domains ? ['(__plumbline_names)'] : [])].join(' ')
    const place = first === null ? '' : `; and __plumbline_first ${first}`
    return `complete -c plumbline -n '__plumbline_verb ${name}${place}' -a ${quoted(offered)}`
  })

function linesOf({ name, own, takes, options }: VerbSpec): readonly string[] {
  const within = `complete -c plumbline -n '__plumbline_verb ${name}'`
  const first = `complete -c plumbline -n '__plumbline_verb ${name}; and __plumbline_behind 2'`
  return [
    ...(own.length > 0 ? [`${first} -a ${quoted(own.join(' '))}`] : []),
    ...(takes.domains ? [`${within} -a '(__plumbline_names)'`] : []),
    ...(takes.files ? [`${within} -F`] : []),
    ...options.map(({ long, short, help, has_value, values, is_file, is_domain }) =>
      [
        within,
        `-l ${long.slice(2)}`,
        ...(short === null ? [] : [`-s ${short.slice(1)}`]),
        ...(has_value ? [is_file ? '-r -F' : '-x'] : []),
        ...(is_domain ? ["-a '(__plumbline_names)'"] : []),
        ...(values.length > 0 ? [`-a ${quoted(values.join(' '))}`] : []),
        `-d ${quoted(help)}`,
      ].join(' '),
    ),
  ]
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
