/** An option whose value nothing can be done with: told with the usage, and the exit code is that of wrong usage. */
export class Misuse extends Error {}
