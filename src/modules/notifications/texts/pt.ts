import { PORTUGUESE_ACCOUNT } from "./account-pt.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "Olá, {{first_name}}!"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const PORTUGUESE: TextCatalog = {
  kinds: {
    invited: text(
      "Convite para {{academy}}",
      "Você recebeu um convite para {{academy}}. Defina uma senha para aceitar o convite e entrar.",
      "[Aceitar convite]({{url}})",
      "O link funciona uma única vez e expira em 2 dias. Se ele expirou, peça a um administrador " +
        "que reenvie o convite.",
    ),
    enrolled: text(
      "Você está matriculado em {{course}}",
      "Você está matriculado em **{{course}}**.",
      "Conclua o curso até **{{due_date}}**.",
      "[Abrir curso]({{url}})",
    ),
    due_soon: text(
      "{{course}} vence em {{due_date}}",
      "Conclua **{{course}}** até **{{due_date}}**.",
      "[Abrir curso]({{url}})",
    ),
    overdue: text(
      "{{course}} está atrasado",
      "O prazo de **{{course}}** terminou em **{{due_date}}**. Conclua o curso o quanto antes.",
      "[Abrir curso]({{url}})",
    ),
    class_reminder: text(
      "{{class}} começa em {{starts_at}}",
      "**{{class}}** começa em **{{starts_at}}**.",
      "Local: {{location}}",
      "[Ver turma]({{url}})",
      "[Adicionar ao calendário]({{calendar_url}})",
    ),
    class_changed: text(
      "{{class}} mudou",
      "O horário de **{{class}}** mudou. Novo início: **{{starts_at}}**.",
      "Local: {{location}}",
      "[Ver turma]({{url}})",
      "[Adicionar ao calendário]({{calendar_url}})",
    ),
    class_canceled: text(
      "{{class}}: turma cancelada",
      "**{{class}}**, com início previsto para {{starts_at}}, foi cancelada.",
      "[Ver minhas turmas]({{url}})",
    ),
    submission_graded: text(
      "{{assignment}} foi corrigida",
      "Sua entrega de **{{assignment}}** em {{course}} foi corrigida.",
      "Nota: **{{grade}}**",
      "[Ver entrega]({{url}})",
    ),
    submission_returned: text(
      "{{assignment}} precisa de alterações",
      "Sua entrega de **{{assignment}}** em {{course}} foi devolvida. Altere-a e envie novamente.",
      "[Ver entrega]({{url}})",
    ),
    course_completed: text(
      "Você concluiu {{course}}",
      "Você concluiu **{{course}}** em {{completed_on}}.",
      "Seu certificado está pronto. Qualquer pessoa com o link pode verificá-lo:\n" +
        "[Ver certificado]({{certificate_url}})",
      "[Ver meus cursos]({{url}})",
    ),
    certificate_expiring: text(
      "Seu certificado de {{course}} expira em {{expires_on}}",
      "Seu certificado de **{{course}}** expira em **{{expires_on}}**. Renove-o antes dessa data.",
      "[Abrir curso]({{url}})",
    ),
    certificate_expired: text(
      "Seu certificado de {{course}} expirou",
      "Seu certificado de **{{course}}** expirou em **{{expires_on}}**.",
      "[Abrir curso]({{url}})",
    ),
    announcement: text("{{heading}}"),
    message: text("{{subject}}", "{{sender}} enviou uma mensagem para você:"),
    exempted: text(
      "Você não precisa concluir {{course}}",
      "Por enquanto, você não precisa concluir **{{course}}**.",
      "Até: {{until}}",
      "Motivo: {{reason}}",
    ),
    extended: text(
      "{{course}} agora vence em {{due_date}}",
      "Você tem mais tempo para **{{course}}**: o novo prazo é **{{due_date}}**.",
      "Motivo: {{reason}}",
      "[Abrir curso]({{url}})",
    ),
    report_ready: text(
      "Seu relatório {{report}} está pronto",
      "**{{report}}**, linhas: **{{rows}}**",
      "Atrasadas: **{{overdue}}**, vencem em breve: **{{due_soon}}**, em dia: **{{on_track}}**, " +
        "concluídas: **{{completed}}**",
      "[Baixar relatório]({{url}})",
      "O arquivo fica disponível por sete dias.",
    ),
    team_overdue: text(
      "Treinamentos atrasados na sua equipe",
      "**{{learner}}** não concluiu **{{course}}**, que está atrasado.",
      "Matrículas atrasadas na sua equipe: **{{count}}**",
      "[Ver equipe]({{url}})",
    ),
  },
  account: PORTUGUESE_ACCOUNT,
  digest: text("Suas notificações de {{academy}}", "Veja as novidades desde ontem:"),
  more: "Ver mais {{count}}",
  footer: {
    reason: "Você recebe este e-mail por causa das suas preferências de notificação.",
    unsubscribe: "Parar de receber e-mails",
  },
}
