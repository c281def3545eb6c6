import { ApiError } from "../lib/errors.ts"
import type { TextKey } from "../lib/texts/texts.ts"
import { FormError } from "./form-error.tsx"
import { Layout, useFrame, useWords } from "./page.tsx"
import { errorText } from "./problem-texts.ts"

interface Props {
  /** The URL of the form. */
  action?: string
  token: string
  /** The user's email, for password managers. */
  email?: string | undefined
  /** The name of the user's portal. */
  site?: string | null | undefined
  error?: ApiError | undefined
  /** The fields with errors. */
  faults?: readonly string[]
}

/** The form behind a set-password link. It works without JavaScript. */
export const SetPasswordPage = ({ action = "/set-password", token, email, site, error, faults = [] }: Props) => {
  const { t } = useWords()
  return (
    <Layout title={t("password.title")} site={site ?? null}>
      <main>
        <h1>{t("password.title")}</h1>
        {email && <p class="quiet">{t("password.for", { email })}</p>}
        <FormError error={error} />
        <form method="post" action={action} aria-describedby={error ? "error" : undefined}>
          <input type="hidden" name="token" value={token} />
          {email && <input type="hidden" name="username" autocomplete="username" value={email} />}
          <label for="password">{t("password.new")}</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="new-password"
            minlength={8}
            maxlength={128}
            aria-describedby={faults.includes("password") ? "error rule" : "rule"}
            aria-invalid={faults.includes("password") ? "true" : undefined}
            required
            autofocus
          />
          <p id="rule" class="hint">
            {t("password.rule")}
          </p>
          <label for="password_confirmation">{t("password.confirm")}</label>
          <input
            id="password_confirmation"
            name="password_confirmation"
            type="password"
            autocomplete="new-password"
            aria-describedby={faults.includes("password_confirmation") ? "error" : undefined}
            aria-invalid={faults.includes("password_confirmation") ? "true" : undefined}
            required
          />
          <button type="submit">{t("password.set")}</button>
        </form>
      </main>
    </Layout>
  )
}

/** Asks for the email address of an account with a forgotten password. It works without JavaScript. */
export const ForgottenPage = ({ email, error }: { email?: string | undefined; error?: ApiError | undefined }) => {
  const { t } = useWords()
  return (
    <Layout title={t("password.reset")}>
      <main>
        <h1>{t("password.reset")}</h1>
        <p>{t("password.reset-text")}</p>
        <FormError error={error} />
        <form method="post" action="/password/forgot" aria-describedby={error ? "error" : undefined}>
          <label for="email">{t("email")}</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username"
            required
            value={email}
            autofocus
            aria-invalid={error ? "true" : undefined}
          />
          <button type="submit">{t("password.reset-send")}</button>
        </form>
        <p>
          <a href={useFrame().signIn}>{t("sign-in")}</a>
        </p>
      </main>
    </Layout>
  )
}

/** The page after the form, or instead of it. @param text its key, or the error */
export const PasswordNotice = ({
  title,
  text,
  params,
  again,
}: {
  title: TextKey
  text: TextKey | ApiError
  params?: Record<string, string>
  again?: boolean
}) => {
  const frame = useFrame()
  const { t } = frame.words
  return (
    <Layout title={t(title)}>
      <main>
        <h1>{t(title)}</h1>
        <p>{text instanceof ApiError ? errorText(text, frame) : t(text, params)}</p>
        {again && (
          <p>
            <a href="/password/forgot">{t("password.new-link")}</a>
          </p>
        )}
        <p>
          <a href={frame.signIn}>{t("sign-in")}</a>
        </p>
      </main>
    </Layout>
  )
}
