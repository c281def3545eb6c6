import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { customFieldValues, UserFields, useUserChoices } from "./user-fields.tsx"
import { USER_QUERIES } from "./user-mutations.ts"

type SignInMethod = "invitation" | "password"

export default function NewUser() {
  const go = useNavigate()
  const choices = useUserChoices()
  const [signInMethod, setSignInMethod] = useState<SignInMethod>("invitation")
  const create = useChange({
    call: (body: Schemas["NewUser"]) => api.POST("/api/user/create", { body }),
    invalidates: USER_QUERIES,
  })
  return (
    <Page title={t("users:new")} parent={{ href: "/console/users", label: t("users:title") }}>
      <Loaded query={choices}>
        {(loadedChoices) => (
          <Form
            submit={t("create")}
            onSubmit={async (values) => {
              const source = values.number("user_source_id")
              const { id } = await create.mutateAsync({
                firstName: values.text("firstName"),
                lastName: values.text("lastName"),
                email: values.text("email"),
                userType: values.text("userType"),
                externalId: values.text("externalId"),
                userCategory: values.all("userCategory").map(Number),
                ...(source && { user_source_id: source }),
                customUserMetas: customFieldValues(values, loadedChoices.fields),
                ...(signInMethod === "invitation"
                  ? { sendInvitation: true }
                  : {
                      password: String(values.form.get("password") ?? ""),
                      password_confirmation: String(values.form.get("password_confirmation") ?? ""),
                    }),
              })
              go(`/users/${id}`)
            }}
          >
            <UserFields choices={loadedChoices} categoryIds={[]} />
            <fieldset class="choices">
              <legend>{t("users:sign-in")}</legend>
              {(["invitation", "password"] as const).map((method) => (
                <div class="check" key={method}>
                  <input
                    type="radio"
                    id={`sign-in-${method}`}
                    name="sign-in"
                    value={method}
                    checked={signInMethod === method}
                    onChange={() => setSignInMethod(method)}
                  />
                  <label for={`sign-in-${method}`}>
                    {method === "invitation" ? t("users:sign-in.invitation") : t("users:sign-in.password")}
                  </label>
                </div>
              ))}
            </fieldset>
            {signInMethod === "password" && (
              <>
                <TextField
                  name="password"
                  type="password"
                  label={t("users:password")}
                  hint={t("users:password.hint")}
                  required
                  autocomplete="new-password"
                />
                <TextField
                  name="password_confirmation"
                  type="password"
                  label={t("users:password.confirm")}
                  required
                  autocomplete="new-password"
                />
              </>
            )}
          </Form>
        )}
      </Loaded>
    </Page>
  )
}
