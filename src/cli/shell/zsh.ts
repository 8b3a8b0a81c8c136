/** Completion for zsh, with what each word does beside it. */
import { NAMES, type OptionSpec, type VerbSpec } from './spec.ts'

export function zshScript(verbs: readonly VerbSpec[]): string {
  return `#compdef plumbline
# Completion of plumbline for zsh: source <(plumbline completion zsh), behind compinit.
_plumbline_names() {
  local -a names
  names=(\${(f)"$(${NAMES})"})
  compadd -a names
}
_plumbline() {
  if (( CURRENT == 2 )); then
    local -a verbs
    verbs=(
${verbs.map(({ name, help }) => `      ${quoted(`${name}:${help}`)}`).join('\n')}
    )
    _describe 'verb' verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
${verbs.map(verbCase).join('\n')}
  esac
}
compdef _plumbline plumbline
`
}

function verbCase({ name, own, takes, options }: VerbSpec): string {
  // What offers nothing must not be one space either: that is a message, beside which a sole match is listed and not inserted.
  const rest = takes.domains ? "'*: :_plumbline_names'" : takes.files ? "'*: :_files'" : "'*: :{ : }'"
  const first = own.length > 0 ? [quoted(`1: :(${own.join(' ')})`)] : []
  const words =
    own.length > 0 && takes.domains ? [quoted(`1: :{ compadd ${own.join(' ')}; _plumbline_names }`)] : first
  return `    ${name}) _arguments ${[...options.flatMap(optionOf), ...words, rest].join(' ')} ;;`
}

function optionOf({ long, short, help, has_value, values, is_file }: OptionSpec): readonly string[] {
  const value = !has_value ? '' : is_file ? ':file:_files' : `:value:(${values.join(' ')})`
  const described = help.replaceAll(/[[\]:\\]/g, '\\$&')
  return [long, ...(short === null ? [] : [short])].map((option) => quoted(`${option}[${described}]${value}`))
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
