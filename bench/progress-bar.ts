/** A progress bar; without a terminal, a line at every tenth. */
export class ProgressBar {
  private done = 0
  private readonly began = performance.now()
  private readonly what: string
  private readonly total: number

  constructor(what: string, total: number) {
    this.what = what
    this.total = total
  }

  step(count = 1) {
    if (count === 0) return
    const tenth = Math.floor((this.done * 10) / this.total)
    this.done += count
    if (process.stdout.isTTY) process.stdout.write(`\r${this.line()}`)
    else if (Math.floor((this.done * 10) / this.total) > tenth) console.info(this.line())
    if (process.stdout.isTTY && this.done === this.total) process.stdout.write("\n")
  }

  private line() {
    const seconds = (performance.now() - this.began) / 1000
    const left = (seconds / this.done) * (this.total - this.done)
    const filled = Math.round((this.done / this.total) * 30)
    const bar = `${"#".repeat(filled)}${".".repeat(30 - filled)}`
    return `${this.what} [${bar}] ${this.done}/${this.total} ${left.toFixed(0)} s left `
  }
}
