// Two-factor codes and their QR codes with oathtool and zbarimg, which other people wrote.
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { renderQrCode } from "../../../scripts/lib/qr-code.ts"
import { qrCodeSvg } from "../../../src/lib/files/qr-code.ts"
import { newSecret, otpauthUri, verifyTotp } from "../../../src/modules/auth/totp.ts"
import { expect, test } from "../fixtures.ts"
import { requireTools } from "../support/tools.ts"

const ROUNDS = 20
const STEP_SECONDS = 30

test.beforeAll(() => requireTools({ oathtool: "oathtool", zbarimg: "zbar-tools" }))

test("codes of oathtool are valid in the previous, the current and the next time step", () => {
  for (let round = 0; round < ROUNDS; round++) {
    const secret = newSecret()
    const seconds = Math.floor(Date.now() / 1000)
    const step = Math.floor(seconds / STEP_SECONDS)
    const codeAt = (steps: number) => {
      const now = `--now=@${seconds + steps * STEP_SECONDS}`
      return execFileSync("oathtool", ["--totp", "--base32", now, secret], { encoding: "utf8" }).trim()
    }
    for (const steps of [-1, 0, 1]) expect(verifyTotp(secret, codeAt(steps))).toBe(step + steps)
    expect(verifyTotp(secret, codeAt(-3))).toBeUndefined()
  }
})

test("zbarimg reads the QR code of a secret for email addresses of any length", ({ folder }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const uri = otpauthUri(newSecret(), `${"a".repeat(1 + 12 * round)}@example.com`, "Lectern")
    const { pixels, size } = renderQrCode(qrCodeSvg(uri))
    const image = join(folder, "code.pgm")
    const gray = Uint8Array.from(pixels.filter((_, i) => i % 4 === 0))
    writeFileSync(image, Buffer.concat([Buffer.from(`P5 ${size} ${size} 255\n`), gray]))
    const read = execFileSync("zbarimg", ["--quiet", "--nodbus", "--raw", image], { encoding: "utf8" })
    expect(read.trimEnd()).toBe(uri)
  }
})
