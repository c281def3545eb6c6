import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { customValues, UserFields, useUserChoices } from "./user-fields.tsx"
import { PEOPLE } from "./user-mutations.ts"

type Access = "invitation" | "password"

/** Makes a user, with a password or with an invitation to choose one. */
export default function NewUser() {
  const go = useGo()
  const choices = useUserChoices()
  const [access, setAccess] = useState<Access>("invitation")
  const create = useChange({
    call: (body: Schemas["NewUser"]) => api.POST("/api/user/create", { body }),
    changes: PEOPLE,
  })
  return (
    <Page title={t("users:new")} within={{ href: "/console/users", label: t("users:title") }}>
      <Loaded of={choices}>
        {(known) => (
          <Form
            submit={t("create")}
            onSubmit={async (values) => {
              const source = values.number("user_source_id")
              const { id } = await create.mutateAsync({
                firstName: values.text("firstName"),
                lastName: values.text("lastName"),
                email: values.text("email"),
                userType: values.text("userType"),
                userCategory: values.all("userCategory").map(Number),
                ...(source && { user_source_id: source }),
                customUserMetas: customValues(values, known.fields),
                ...(access === "invitation"
                  ? { sendInvitation: true }
                  : {
                      password: String(values.form.get("password") ?? ""),
                      password_confirmation: String(values.form.get("password_confirmation") ?? ""),
                    }),
              })
              go(`/users/${id}`)
            }}
          >
            <UserFields choices={known} categoryIds={[]} />
            <fieldset class="choices">
              <legend>{t("users:sign-in")}</legend>
              {(["invitation", "password"] as const).map((way) => (
                <div class="check" key={way}>
                  <input
                    type="radio"
                    id={`access-${way}`}
                    name="access"
                    value={way}
                    checked={access === way}
                    onChange={() => setAccess(way)}
                  />
                  <label for={`access-${way}`}>
                    {way === "invitation" ? t("users:sign-in.invitation") : t("users:sign-in.password")}
                  </label>
                </div>
              ))}
            </fieldset>
            {access === "password" && (
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
