import { SPANISH_ACCOUNT } from "./account-es.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "Hola, {{first_name}}:"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const SPANISH: TextCatalog = {
  kinds: {
    invited: text(
      "Invitación a {{academy}}",
      "Se le ha invitado a {{academy}}. Elija una contraseña para aceptar la invitación e iniciar sesión.",
      "[Aceptar la invitación]({{url}})",
      "El enlace funciona una sola vez y caduca en 2 días. Si ha caducado, pida a un administrador que " +
        "reenvíe la invitación.",
    ),
    enrolled: text(
      "Se le ha inscrito en {{course}}",
      "Se le ha inscrito en **{{course}}**.",
      "Complételo antes del final del **{{due_date}}**.",
      "[Abrir el curso]({{url}})",
    ),
    due_soon: text(
      "{{course}} vence el {{due_date}}",
      "Complete **{{course}}** antes del final del **{{due_date}}**.",
      "[Abrir el curso]({{url}})",
    ),
    overdue: text(
      "El plazo de {{course}} ha vencido",
      "El plazo de **{{course}}** venció el **{{due_date}}**. Complételo lo antes posible.",
      "[Abrir el curso]({{url}})",
    ),
    class_reminder: text(
      "{{class}} empieza el {{starts_at}}",
      "**{{class}}** empieza el **{{starts_at}}**.",
      "Lugar: {{location}}",
      "[Ver la clase]({{url}})",
      "[Agregar al calendario]({{calendar_url}})",
    ),
    class_changed: text(
      "{{class}} cambió",
      "El horario de **{{class}}** cambió. Ahora empieza el **{{starts_at}}**.",
      "Lugar: {{location}}",
      "[Ver la clase]({{url}})",
      "[Agregar al calendario]({{calendar_url}})",
    ),
    class_canceled: text(
      "{{class}} se canceló",
      "Se canceló **{{class}}**, que debía empezar el {{starts_at}}.",
      "[Ver mis clases]({{url}})",
    ),
    submission_graded: text(
      "{{assignment}} se calificó",
      "Se calificó su entrega de **{{assignment}}** en {{course}}.",
      "Calificación: **{{grade}}**",
      "[Ver la entrega]({{url}})",
    ),
    submission_returned: text(
      "{{assignment}} necesita cambios",
      "Se le devolvió su entrega de **{{assignment}}** en {{course}}. Modifíquela y vuelva a entregarla.",
      "[Ver la entrega]({{url}})",
    ),
    course_completed: text(
      "Ha completado {{course}}",
      "Completó **{{course}}** el {{completed_on}}.",
      "Su certificado está listo. Quien tenga el enlace puede verificarlo:\n[Ver el certificado]({{certificate_url}})",
      "[Ver mis cursos]({{url}})",
    ),
    certificate_expiring: text(
      "Su certificado de {{course}} caduca el {{expires_on}}",
      "Su certificado de **{{course}}** caduca el **{{expires_on}}**. Renuévelo antes de esa fecha.",
      "[Abrir el curso]({{url}})",
    ),
    certificate_expired: text(
      "Su certificado de {{course}} ha caducado",
      "Su certificado de **{{course}}** caducó el **{{expires_on}}**.",
      "[Abrir el curso]({{url}})",
    ),
    announcement: text("{{heading}}"),
    exempted: text(
      "No tiene que completar {{course}}",
      "Por ahora no tiene que completar **{{course}}**.",
      "Hasta: {{until}}",
      "Motivo: {{reason}}",
    ),
    extended: text(
      "{{course}} vence ahora el {{due_date}}",
      "Tiene más tiempo para **{{course}}**: ahora vence el **{{due_date}}**.",
      "Motivo: {{reason}}",
      "[Abrir el curso]({{url}})",
    ),
    message: text("{{subject}}", "{{sender}} le envió un mensaje:"),
    report_ready: text(
      "Su informe {{report}} está listo",
      "**{{report}}**, filas: **{{rows}}**",
      "Atrasadas: **{{overdue}}**, próximas a vencer: **{{due_soon}}**, en plazo: **{{on_track}}**, " +
        "completadas: **{{completed}}**",
      "[Descargar informe]({{url}})",
      "El archivo está disponible durante siete días.",
    ),
    team_overdue: text(
      "Formación atrasada en su equipo",
      "**{{learner}}** no ha completado **{{course}}**, cuyo plazo ha vencido.",
      "Inscripciones atrasadas en su equipo: **{{count}}**",
      "[Ver el equipo]({{url}})",
    ),
  },
  account: SPANISH_ACCOUNT,
  digest: text("Sus notificaciones de {{academy}}", "Esto es lo nuevo desde ayer:"),
  more: "Ver {{count}} más",
  footer: {
    reason: "Recibe este correo por sus preferencias de notificación.",
    unsubscribe: "Cancelar la suscripción",
  },
}
