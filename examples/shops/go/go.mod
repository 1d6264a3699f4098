module shop

go 1.18

require (
	github.com/golang-jwt/jwt/v4 v4.5.2
	github.com/lib/pq v1.10.9
)
