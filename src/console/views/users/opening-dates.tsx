import { api } from "../../api/client.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { toInputTime } from "../../ui/time.tsx"

const fieldOf = (moduleId: number) => `module-${moduleId}`

/** Sets when modules open for one learner, instead of the dates of the course. */
export function OpeningDatesDialog({ registrationId, onClose }: { registrationId: number; onClose: () => void }) {
  const params = { path: { id: registrationId } }
  const access = useEditableRecord("/api/enrollment/module-access/{id}", { params })
  const change = useChange({
    call: (modules: { module_id: number; opensAt: string | null }[]) =>
      api.PUT("/api/enrollment/module-access/{id}", { params, body: { modules } }),
    invalidates: ["/api/course/modules", "/api/enrollment/module-access"],
  })
  return (
    <Dialog title={t("users:opening-dates")} onClose={onClose}>
      <Loaded query={access}>
        {({ record: { modules } }) => (
          <Form
            submit={t("save")}
            more={<CancelButton />}
            onSubmit={async (values) => {
              // A date without a change keeps its seconds.
              const changed = modules
                .filter(({ module_id, opensAt }) => values.text(fieldOf(module_id)) !== toInputTime(opensAt))
                .map(({ module_id }) => {
                  const local = values.text(fieldOf(module_id))
                  return { module_id, opensAt: local === "" ? null : new Date(local).toISOString() }
                })
              if (changed.length > 0) await change.mutateAsync(changed)
              onClose()
            }}
          >
            <p class="quiet">{t("users:opening-dates.about")}</p>
            {modules.map(({ module_id, name, opensAt, courseOpensAt }) => (
              <TextField
                key={module_id}
                name={fieldOf(module_id)}
                label={name}
                hint={t("users:opening-dates.course", { date: dateTime(new Date(courseOpensAt)) })}
                type="datetime-local"
                defaultValue={toInputTime(opensAt)}
              />
            ))}
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}
