package speech

import "testing"

func TestSpanishIsRead(t *testing.T) {
	testSaid(t, "es", []said{
		{stopped, Changing, "main.go", "Por favor, no modifique usted main.go."},
		{stopped, Changing, "main.go", "no toqués main.go"},
		{stopped, Changing, "main.go", "main.go no lo toques"},
		{stopped, Changing, "main.go", "No se puede tocar main.go."},
		{stopped, Changing, "main.go", "Ni se te ocurra cambiar main.go."},
		{stopped, Changing, "main.go", "De momento no quiero que hagas cambios."},
		{stopped, Changing, "main.go", "Antes de modificar cualquier cosa, pregúntame."},
		{stopped, Changing, "main.go", "Primero muéstrame el plan, después lo implementas."},
		{stopped, Changing, "main.go", "Ningún archivo debe ser modificado."},
		{stopped, Changing, "main.go", "Nada de editar archivos."},
		{stopped, Deleting, "old.txt", "No borres nada."},
		{stopped, Deleting, "old.txt", "old.txt no se debe borrar."},
		{stopped, Pushing, "", "Todavía no hagas push."},
		{stopped, Installing, "", "No instaléis paquetes nuevos."},
		{granted, Deleting, "old.txt", "Haz el favor de borrar old.txt."},
		{granted, Deleting, "old.txt", "Podés eliminar old.txt."},
		{granted, Deleting, "old.txt", "¿Podrías borrar old.txt, por favor?"},
		{granted, Deleting, "old.txt", "old.txt está obsoleto, elimínalo por favor."},
		{granted, Deleting, "old.txt", "Perfecto. Quita old.txt ahora, gracias."},
		{granted, Deleting, "old.txt", "old.txt debe ser eliminado."},
		{neither, Deleting, "old.txt", "¿Por qué borras old.txt?"},
		{neither, Deleting, "old.txt", "Quizás convenga borrar old.txt."},
		{neither, Deleting, "old.txt", "Borra old.txt cuando pasen las pruebas."},
		{neither, Changing, "", "El menú no se cierra al hacer clic fuera."},
		{neither, Changing, "", "La búsqueda no encuentra nada si el campo está vacío."},
		{neither, Changing, "", "Un usuario sin permisos no puede editar facturas."},
		{neither, Changing, "", "No te olvides de completar los tests."},
	})
}
