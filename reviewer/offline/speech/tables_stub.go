package speech

func german() *Language     { return &Language{Code: "de", Name: "German"} }
func french() *Language     { return &Language{Code: "fr", Name: "French"} }
func spanish() *Language    { return &Language{Code: "es", Name: "Spanish"} }
func portuguese() *Language { return &Language{Code: "pt", Name: "Portuguese"} }
func russian() *Language    { return &Language{Code: "ru", Name: "Russian"} }
func japanese() *Language   { return &Language{Code: "ja", Name: "Japanese"} }
