import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { signInAgain } from "./sign-in-again.ts"

type Secret = DataOf<"/api/user/prepareTwoFactorAuth", "post">

const STATUS_PATH = "/api/user-meta/2fa"

/** An SVG as a data URL: scripts do not run within an image. */
const toDataUrl = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** Recovery codes, which are shown only once. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const copy = () => navigator.clipboard.writeText(codes.join("\n")).then(() => announce(t("copied")))
  return (
    <div role="status">
      <h3>{t("account:two-factor.codes")}</h3>
      <p>{t("account:two-factor.codes-about")}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" onClick={copy}>
          {t("copy")}
        </button>
        <button type="button" class="primary" onClick={signInAgain}>
          {t("account:sign-in-again")}
        </button>
      </div>
    </div>
  )
}

/** Confirms a new secret with a first code. */
function ConfirmSecret({
  secret,
  userId,
  onCodes,
}: {
  secret: Secret
  userId: number
  onCodes: (codes: readonly string[]) => void
}) {
  return (
    <>
      <p>{t("account:two-factor.scan")}</p>
      <img src={toDataUrl(secret.as_qr_code)} alt={t("account:two-factor.qr")} width="196" height="196" />
      <p>
        {t("account:two-factor.manual")} <code class="secret">{secret.as_string}</code>
      </p>
      <Form
        submit={t("account:two-factor.confirm")}
        onSubmit={async (values) => {
          const { data } = await api.POST("/api/user/confirmTwoFactorAuth", {
            body: {
              user_id: userId,
              secretCode: values.text("secretCode"),
              qrCode: secret.as_qr_code,
              stringCode: secret.as_string,
            },
          })
          onCodes(data.recoveryCodes)
        }}
      >
        <p class="quiet">{t("account:two-factor.confirm-about")}</p>
        <TextField
          name="secretCode"
          label={t("account:two-factor.code")}
          inputMode="numeric"
          autocomplete="one-time-code"
          required
        />
      </Form>
    </>
  )
}

/** Enables and disables two-factor authentication. */
export function TwoFactor({ userId }: { userId: number }) {
  const status = useRead(STATUS_PATH)
  const [codes, setCodes] = useState<readonly string[]>()
  const [error, setError] = useState<unknown>()
  const [isConfirming, setIsConfirming] = useState(false)
  const prepare = useChange({
    call: () => api.POST("/api/user/prepareTwoFactorAuth", { body: { user_id: userId } }),
    invalidates: [STATUS_PATH],
  })
  const disable = useChange({
    call: () => api.POST("/api/user/disableTwoFactorAuth", { body: { user_id: userId } }),
    invalidates: [],
  })
  if (codes) return <RecoveryCodes codes={codes} />
  return (
    <Loaded query={status}>
      {({ is2FactorAuthActive, as_qr_code, as_uri, as_string }) => {
        if (is2FactorAuthActive)
          return (
            <>
              <p>{t("account:two-factor.enabled")}</p>
              <button type="button" onClick={() => setIsConfirming(true)}>
                {t("account:two-factor.disable")}
              </button>
              {isConfirming && (
                <ConfirmDialog
                  title={t("account:two-factor.disable")}
                  confirm={t("account:two-factor.disable")}
                  onClose={() => setIsConfirming(false)}
                  onConfirm={async () => {
                    await disable.mutateAsync(undefined)
                    signInAgain()
                  }}
                >
                  <p>{t("account:two-factor.disable-about")}</p>
                </ConfirmDialog>
              )}
            </>
          )
        if (as_qr_code && as_uri && as_string)
          return <ConfirmSecret secret={{ as_qr_code, as_uri, as_string }} userId={userId} onCodes={setCodes} />
        return (
          <>
            <p>{t("account:two-factor.disabled")}</p>
            <ErrorMessage error={error} />
            <button
              type="button"
              disabled={prepare.isPending}
              onClick={() => prepare.mutateAsync(undefined).catch(setError)}
            >
              {t("account:two-factor.enable")}
            </button>
          </>
        )
      }}
    </Loaded>
  )
}
