// Tries the two-factor code against tools that other people wrote: oathtool makes the codes, zbarimg reads the QR code.
// Not part of the tests, which need npm alone. On Debian: apt-get install oathtool zbar-tools
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { qrCodeSvg } from "../src/lib/files/qr-code.ts"
import { newSecret, stepOf, uriOf } from "../src/modules/auth/totp.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { flags } from "./lib/flags.ts"
import { bitmapOf } from "./lib/qr-code.ts"
import { requireTools } from "./tools.ts"

flags("npm run check:two-factor", "Holds two-factor codes and their QR codes against oathtool and zbarimg.", {})
requireTools({ oathtool: "oathtool", zbarimg: "zbar-tools" })

const directory = mkdtempSync(join(tmpdir(), "lectern-two-factor-"))
const ROUNDS = 20
try {
  for (let round = 0; round < ROUNDS; round++) {
    const secret = newSecret()
    const seconds = Math.floor(Date.now() / 1000)
    const codeAt = (offset: number) =>
      execFileSync("oathtool", ["--totp", "--base32", `--now=@${seconds + offset}`, secret], {
        encoding: "utf8",
      }).trim()
    const step = Math.floor(seconds / 30)
    for (const steps of [-1, 0, 1])
      expectSame(`oathtool's code of step ${steps}`, stepOf(secret, codeAt(steps * 30)), step + steps)
    expectSame("oathtool's code of three steps ago", stepOf(secret, codeAt(-90)), undefined)

    const uri = uriOf(secret, `${"a".repeat(1 + 12 * round)}@example.com`, "Lectern")
    const { pixels, size } = bitmapOf(qrCodeSvg(uri))
    const image = join(directory, "code.pgm")
    const gray = Uint8Array.from(pixels.filter((_, i) => i % 4 === 0))
    writeFileSync(image, Buffer.concat([Buffer.from(`P5 ${size} ${size} 255\n`), gray]))
    const read = execFileSync("zbarimg", ["--quiet", "--nodbus", "--raw", image], { encoding: "utf8" }).replace(
      /\n$/,
      "",
    )
    expectSame("what zbarimg reads", read, uri)
  }
} finally {
  rmSync(directory, { recursive: true })
}
conclude(`oathtool's codes are taken, and zbarimg reads the QR code: ${ROUNDS} rounds.`)
