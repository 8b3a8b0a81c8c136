/** Completion for bash: one function, without any package of others. */
import { NAMES, type VerbSpec } from './spec.ts'

export function bashScript(verbs: readonly VerbSpec[]): string {
  return `# Completion of plumbline for bash: source <(plumbline completion bash)
_plumbline_names() {
  ${NAMES}
}
# A star in a name is no pattern of files.
_plumbline_offer() {
  local IFS=$' \\n' glob=$-; set -f
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
  [ -n "\${2-}" ] && COMPREPLY+=($(compgen -f -- "$cur"))
  case $glob in *f*) ;; *) set +f ;; esac
}
_plumbline() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${verbs.map(({ name }) => name).join(' ')} help" -- "$cur"))
    return
  fi
  if [ "$verb" = help ]; then
    COMPREPLY=($(compgen -W "${verbs.map(({ name }) => name).join(' ')} tasks exit-codes" -- "$cur"))
    return
  fi
  case "$verb $prev" in
${verbs.flatMap(valueCases).join('\n')}
  esac
  local options='' words='' names='' files=''
  case "$verb" in
${verbs.map(verbCase).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *)
      [ "$COMP_CWORD" -gt 2 ] && words=''
      case "$verb \${COMP_WORDS[2]}" in
${verbs.flatMap(behindCases).join('\n')}
      esac
      [ -n "$names" ] && words="$words $(_plumbline_names)"
      _plumbline_offer "$words" "$files"
      # A value follows a field at once.
      case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac ;;
  esac
}
complete -F _plumbline plumbline
`
}

/** Of a word that directly follows the verb `COMP_WORDS[2]` is what is being typed. */
function behindCases({ name, behind }: VerbSpec): readonly string[] {
  return behind.map(({ first, words, domains }) => {
    const place = first === null ? '' : '[ "$COMP_CWORD" -gt 2 ] && '
    const pattern = first === null ? `"${name} "*` : `"${name} ${first}"`
    const set = [
      ...(words.length > 0 ? [`words="$words ${words.join(' ')}"`] : []),
      ...(domains ? ['names=1'] : []),
    ]
    return `        ${pattern}) ${place}{ ${set.join('; ')}; } ;;`
  })
}

function valueCases({ name, options }: VerbSpec): readonly string[] {
  return options
    .filter(({ has_value }) => has_value)
    .map(({ long, short, values, is_file, is_domain }) => {
      const keys = [long, ...(short === null ? [] : [short])].map((option) => `"${name} ${option}"`)
      const reply = is_file
        ? 'COMPREPLY=($(compgen -f -- "$cur"))'
        : is_domain
          ? '_plumbline_offer "$(_plumbline_names)"'
          : `COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$cur"))`
      return `    ${keys.join(' | ')}) ${reply}; return ;;`
    })
}

function verbCase({ name, own, takes, options }: VerbSpec): string {
  const all = options.flatMap(({ long, short }) => [long, ...(short === null ? [] : [short])])
  const parts = [
    `options='${all.join(' ')}'`,
    ...(own.length > 0 ? [`words='${own.join(' ')}'`] : []),
    ...(takes.domains ? ['names=1'] : []),
    ...(takes.files ? ['files=1'] : []),
  ]
  return `    ${name}) ${parts.join(' ')} ;;`
}
