import type { ApiError } from "../lib/errors.ts"
import { FormError } from "./form-error.tsx"
import { Layout, useFrame, useWords } from "./page.tsx"

interface Props {
  next?: string | undefined
  email?: string | undefined
  error?: ApiError | undefined
  /** The fields with errors. */
  faults?: readonly string[]
  askForCode?: boolean
  /** The portal whose providers are shown, from the page's URL. */
  portal?: string | undefined
  /** The sign-in providers, and whether each is mandatory for all users except owners. */
  doors?: readonly { name: string; url: string; forAll: boolean }[]
}

/** The buttons of the sign-in providers. */
const Doors = ({ doors }: Required<Pick<Props, "doors">>) => {
  const { t } = useWords()
  return (
    <ul class="doors">
      {doors.map(({ name, url }) => (
        <li>
          <a class="button" href={url}>
            {t("sign-in.with", { provider: name })}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The password form. Focuses the first empty field, unless there are provider buttons before the form. */
const PasswordForm = ({ next, portal, email, error, faults = [], askForCode, doors = [] }: Props) => {
  const errorAttributes = (name: string) =>
    faults.includes(name) ? ({ "aria-invalid": "true", "aria-describedby": "error" } as const) : {}
  const action = portal ? `/login?portal=${encodeURIComponent(portal)}` : "/login"
  const { t } = useWords()
  const focused = doors.length === 0 || error !== undefined
  return (
    <>
      <form method="post" action={action} aria-describedby={error ? "error" : undefined}>
        {next && <input type="hidden" name="next" value={next} />}
        <label for="email">{t("email")}</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          autofocus={focused && (!email || faults[0] === "email")}
          {...errorAttributes("email")}
        />
        <label for="password">{t("password")}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={focused && Boolean(email) && faults[0] !== "email"}
          {...errorAttributes("password")}
        />
        {askForCode && (
          <>
            <label for="code">{t("sign-in.code")}</label>
            <input
              id="code"
              name="code"
              type="text"
              autocomplete="one-time-code"
              autocapitalize="none"
              required
              {...errorAttributes("code")}
            />
          </>
        )}
        <button type="submit">{t("sign-in")}</button>
      </form>
      <p>
        <a href="/password/forgot">{t("password.forgot")}</a>
      </p>
      {useFrame().signUp && (
        <p>
          <a href="/sign-up">{t("sign-up")}</a>
        </p>
      )}
    </>
  )
}

/** The sign-in page. It works without JavaScript. If only owners use passwords, the form is collapsed. */
export const LoginPage = (props: Props) => {
  const { error, askForCode = false, doors = [] } = props
  const { site, words } = useFrame()
  const { t } = words
  return (
    <Layout title={t("sign-in")}>
      <main>
        <h1>{t("sign-in.to", { site })}</h1>
        <FormError error={error} />
        {doors.length > 0 && <Doors doors={doors} />}
        {doors.some(({ forAll }) => forAll) ? (
          <details open={askForCode || error !== undefined}>
            <summary>{t("sign-in.owners")}</summary>
            <PasswordForm {...props} />
          </details>
        ) : (
          <PasswordForm {...props} />
        )}
      </main>
    </Layout>
  )
}
